package alias

import (
	"encoding/binary"
	"hash/maphash"
	"time"
)

// Stage says what one stage of the analysis took.
type Stage struct {
	// Name is one of the Stage constants.
	Name string
	// Rounds is how often the sets were computed.
	Rounds int
	// Nodes and Edges are the size of the last round's graph, nodes that were merged
	// counted as one.
	Nodes, Edges int
	// Members is the sum of the sizes of its sets, Sets how many different ones there
	// are.
	Members, Sets int
	// Time is how long the stage took.
	Time time.Duration
	// Ended: it was not given up before its end.
	Ended bool
}

// Names of stages.
const (
	StageSets = "points-to" // the sets of the program
	// regions and accesses; its counts are those of StageSets, where the sets have grown
	StageRegions = "regions"
	StageApart   = "one run" // the sets with one run of each entry told from all others
)

// stage calls f and notes what it took, also where f gives up.
func (o Options) stage(name string, s **solver, rounds *int, f func()) {
	if o.Note == nil {
		f()
		return
	}
	x, start := Stage{Name: name}, time.Now()
	defer func() {
		x.Time = time.Since(start)
		if x.Rounds = *rounds; *s != nil {
			(*s).measure(&x)
		}
		o.Note(x)
	}()
	f()
	x.Ended = true
}

// measure counts what the graph has.
func (s *solver) measure(x *Stage) {
	seed, seen := maphash.MakeSeed(), map[uint64]bool{}
	x.Edges = s.edges
	var text []byte
	for i, n := range s.nodes {
		if s.rep[i] != int32(i) {
			continue
		}
		x.Nodes++
		x.Members += n.pts.len()
		text = text[:0]
		for _, b := range n.pts.blk {
			text = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(text, uint32(b.idx)), b.bits)
		}
		seen[maphash.Bytes(seed, text)] = true
	}
	x.Sets = len(seen)
}
