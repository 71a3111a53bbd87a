package explicit

import (
	"fmt"
	"slices"

	"whoop/ir"
)

// Data races. Others may run before each access that may race (MayRace), so a thread that
// is about to execute one has a state of its own, in which its next step begins with that
// access. Two threads race where, in one state, their next steps have accesses of one
// place, one of them writing, unless both are atomic or both in atomic sections. An
// atomic section is one step, and all its accesses count: a thread may be inside of it
// while another one is about to access what it accesses.

// An access is one that a step makes to what others know.
type access struct {
	in                     ir.Instr
	id                     int32
	off, end               int64 // the whole object where the place is not known
	write, atomic, section bool
}

func (a access) conflicts(b access) bool {
	return a.id == b.id && a.off < b.end && b.off < a.end && (a.write || b.write) && !(a.atomic && b.atomic) && !(a.section && b.section)
}

// approaches notes an access.
func (x *exec) approaches(in ir.Instr, id int32, off, size int64, write bool, order ir.Order) {
	if x.p.opt.Races == nil || id < 0 || !x.p.visible[in] {
		return
	}
	end := off + size
	if off < 0 {
		off, end = 0, max(x.object(id).size, 1)
	}
	x.near = append(x.near, access{in, id, off, end, write, order.Atomic(), x.l.depth > 0})
}

// unfollowed gives up where an instruction other than those that approaches is told of
// makes accesses that may race.
func (x *exec) unfollowed(in ir.Instr) {
	if x.p.opt.Races == nil || !x.p.opt.Races(in) {
		return
	}
	shared := true
	switch in := in.(type) {
	case *ir.MemCopy:
		shared = x.others(in.Dst) || x.others(in.Src)
	case *ir.MemSet:
		shared = x.others(in.Dst)
	case *ir.Free:
		shared = x.others(in.Addr)
	case *ir.Touch:
		shared = x.others(in.Addr)
	case *ir.Spawn, *ir.Call:
	case *ir.Lock, *ir.CondWait, *ir.CondSignal, *ir.SemWait, *ir.SemPost, *ir.BarrierWait, *ir.LockInit:
		x.giveUp(in.At(), "what synchronises may be destroyed while it is used")
	default:
		return
	}
	if shared {
		x.giveUp(in.At(), "an access that may race, and is not followed")
	}
}

// approach adds what one way to take a step accesses, also where the execution ends
// there.
func (s *search) approach(k uint64, x *exec) {
	for _, a := range x.near {
		if !slices.Contains(s.near[k], a) {
			s.near[k] = append(s.near[k], a)
		}
	}
}

// races reports whether two of the threads of a state are about to race.
func (s *search) races(sh int32, threads []int32) (bool, error) {
	if s.p.opt.Races == nil {
		return false, nil
	}
	var near [][]access
	for _, l := range threads {
		if _, err := s.post(sh, l); err != nil {
			return false, err
		}
		as := s.near[pair(sh, l)]
		if len(as) == 0 {
			continue
		}
		for _, bs := range near {
			for _, a := range as {
				for _, b := range bs {
					if a.conflicts(b) {
						s.race = fmt.Sprintf("the accesses at %s and %s may race", b.in.At(), a.in.At())
						return true, nil
					}
				}
			}
		}
		near = append(near, as)
	}
	return false, nil
}
