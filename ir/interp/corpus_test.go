package interp_test

import (
	"flag"
	"hash/crc32"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"

	"whoop/internal/testscope"
	"whoop/ir/interp"
)

// schedule runs an execution with random switches; it returns the races and the final
// state (nil where it did not end).
func schedule(m *interp.Program, h interp.Harness, seed int64, steps int) (*interp.State, []interp.Race) {
	r := rand.New(rand.NewSource(seed))
	var in interp.Inputs = interp.Zero{}
	if seed%2 == 1 {
		in = interp.Reliable{Inputs: interp.Random(seed)}
	}
	s := m.Start(h, in)
	d := interp.NewRaces()
	var races []interp.Race
	var ts []interp.ThreadID
	stay := r.Intn(20) + 1 // how often to go on with the same thread
	last := interp.ThreadID(0)
	for n := 0; s.Status() == interp.Running; n++ {
		if n == steps {
			return nil, races
		}
		ts = s.AppendEnabled(ts[:0])
		t := ts[r.Intn(len(ts))]
		if r.Intn(stay) > 0 && s.CanStep(last) {
			t = last
		}
		last = t
		races = append(races, d.Observe(s.Step(t))...)
	}
	return s, races
}

var whole = flag.Bool("whole", testscope.All(), "run all of the corpus, not a quarter of it")

// TestCorpus runs the annotated programs: no program named ok races or goes wrong; most
// of the others race.
func TestCorpus(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "benchmarks", "races", "*", "*.c"))
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	racy, found := 0, 0
	for _, f := range files {
		// by its name, so that no new program changes which others are run
		if crc32.ChecksumIEEE([]byte(filepath.Base(f)))%4 > 0 && !*whole {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(f), ".c")
		p := load(t, f)
		main := p.FuncByName("main")
		if main == nil {
			continue
		}
		m, err := interp.Compile(p, interp.Config{})
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		hit := false
		ends := map[interp.Status]int{}
		seeds, steps := int64(4), 5000
		if strings.HasSuffix(name, "racy") {
			seeds, steps = 12, 10000
		}
		// what pthread_getspecific returns is arbitrary: also another thread's object; what
		// code not seen puts into memory is not followed
		if name == "key_ok" || name == "moved_ok" {
			continue
		}
		for seed := int64(0); seed < seeds && !hit; seed++ {
			s, races := schedule(m, interp.MainOf(main), seed, steps)
			if strings.HasSuffix(name, "ok") && len(races) > 0 {
				t.Errorf("%s, seed %d: %s", f, seed, races[0].String())
				break
			}
			hit = len(races) > 0
			if s == nil {
				continue
			}
			ends[s.Status()]++
			if s.Err() != nil && strings.HasSuffix(name, "ok") {
				t.Errorf("%s, seed %d: %v", f, seed, s.Err())
				break
			}
		}
		if strings.HasSuffix(name, "racy") {
			racy++
			if hit {
				found++
			} else {
				t.Logf("%s: no race; %v", f, ends)
			}
		}
	}
	t.Logf("%d of %d races found", found, racy)
	if found*10 < racy*8 {
		t.Errorf("only %d of %d races found", found, racy)
	}
}
