package benchmarks

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
)

var (
	programs = flag.Int("programs", testscope.Count(30, 300), "random programs to check")
	seed     = flag.Int64("seed", testscope.Seed(), "seed of the first random program")
)

// writer makes a random pthread program: two or three threads, mutexes, a read-write
// lock, a semaphore, plain variables, an array of structs with locks in them, heap
// objects handed to threads and published.
type writer struct {
	*rand.Rand
	b     strings.Builder
	depth int
}

func (w *writer) line(format string, args ...any) {
	w.b.WriteString(strings.Repeat("\t", w.depth) + fmt.Sprintf(format, args...) + "\n")
}

// block runs body between braces.
func (w *writer) block(head string, body func()) {
	w.line("%s {", head)
	w.depth++
	body()
	w.depth--
	w.line("}")
}

// access is one line that reads or writes something shared, or the thread's own.
func (w *writer) access() {
	x := fmt.Sprintf("x%d", w.Intn(3))
	i := w.Intn(3)
	switch w.Intn(9) {
	case 0:
		w.line("%s++;", x)
	case 1:
		w.line("r += %s;", x)
	case 2:
		w.line("el[%d].n++;", i)
	case 3:
		w.line("r += el[r & 1].n;")
	case 4:
		w.line("if (own) own->n = r;")
	case 5:
		w.line("if (pub) r += pub->n;")
	case 6:
		w.line("*px = r;")
	case 7:
		w.line("__atomic_fetch_add(&at, 1, __ATOMIC_SEQ_CST);")
	case 8:
		w.line("r += at;")
	}
}

// statement is one statement of a thread.
func (w *writer) statement() {
	if w.depth > 4 {
		w.access()
		return
	}
	under := func(lock, unlock string) {
		w.line("%s;", lock)
		w.statements(1 + w.Intn(2))
		w.line("%s;", unlock)
	}
	m := w.Intn(2)
	switch w.Intn(14) {
	case 0, 1, 2:
		under(fmt.Sprintf("pthread_mutex_lock(&m%d)", m), fmt.Sprintf("pthread_mutex_unlock(&m%d)", m))
	case 3:
		under("pthread_rwlock_rdlock(&rw)", "pthread_rwlock_unlock(&rw)")
	case 4:
		under("pthread_rwlock_wrlock(&rw)", "pthread_rwlock_unlock(&rw)")
	case 5:
		under("sem_wait(&sem)", "sem_post(&sem)")
	case 6:
		i := w.Intn(3)
		w.line("pthread_mutex_lock(&el[%d].lock);", i)
		w.line("el[%d].n++;", []int{i, i, w.Intn(3)}[w.Intn(3)])
		w.line("pthread_mutex_unlock(&el[%d].lock);", i)
	case 7:
		w.block(fmt.Sprintf("if (pthread_mutex_trylock(&m%d) == 0)", m), func() {
			w.statements(1)
			w.line("pthread_mutex_unlock(&m%d);", m)
		})
	case 8:
		w.block("if (r & 1)", func() { w.statements(1) })
	case 9:
		v := fmt.Sprintf("i%d", w.depth)
		w.block(fmt.Sprintf("for (int %s = 0; %s < 2; %s++)", v, v, v), func() { w.statements(1) })
	case 10:
		w.line("pthread_mutex_lock(&m%d);", m)
		w.line("pub = own;")
		w.line("pthread_mutex_unlock(&m%d);", m)
	case 11:
		w.line("pthread_once(&once, setup);")
	default:
		w.access()
	}
}

func (w *writer) statements(n int) {
	for range n {
		w.statement()
	}
}

// program returns the text of a random program.
func program(seed int64) string {
	w := &writer{Rand: rand.New(rand.NewSource(seed))}
	w.b.WriteString(`#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
struct el { pthread_mutex_t lock; int n; };
static struct el el[3];
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t sem;
static int x0, x1, x2, at;
static int *px = &x2;
static struct el *pub;
static void setup(void)
{
	x1 = 7;
}
`)
	threads := 1 + w.Intn(2)
	for t := range threads {
		w.line("static void *t%d(void *arg)\n{", t)
		w.depth = 1
		w.line("struct el *own = arg;")
		w.line("int r = %d;", t)
		w.statements(2 + w.Intn(4))
		w.line("return arg;")
		w.depth = 0
		w.line("}")
	}
	w.line("int main(void)\n{")
	w.depth = 1
	w.line("pthread_t id[4];")
	w.line("struct el *own = calloc(1, sizeof *own);")
	w.line("int r = 0, n = 0;")
	w.line("sem_init(&sem, 0, %d);", 1+w.Intn(8)/7)
	w.block("for (int i = 0; i < 3; i++)", func() { w.line("pthread_mutex_init(&el[i].lock, 0);") })
	w.line("if (!own) return 1;")
	w.statements(w.Intn(2))
	for t := range threads {
		arg := []string{"own", "0", "&el[1]", fmt.Sprintf("&el[%d]", t)}[w.Intn(4)]
		switch w.Intn(3) {
		case 0:
			w.line("pthread_create(&id[n++], 0, t%d, %s);", t, arg)
		case 1:
			w.block("for (int k = 0; k < 2; k++)", func() {
				w.line("pthread_create(&id[n++], 0, t%d, %s);", t, []string{arg, "&el[k]"}[w.Intn(2)])
			})
		case 2:
			w.block("", func() {
				w.line("struct el *fresh = calloc(1, sizeof *fresh);")
				w.line("if (!fresh) return 1;")
				w.line("fresh->n = 1;")
				w.line("pthread_create(&id[n++], 0, t%d, fresh);", t)
				if w.Intn(3) == 0 {
					w.line("fresh->n = 2;")
				}
			})
		}
		w.statements(w.Intn(2))
	}
	if w.Intn(2) == 0 {
		w.block("for (int k = 0; k < n; k++)", func() { w.line("pthread_join(id[k], 0);") })
	} else {
		w.line("pthread_join(id[0], 0);")
	}
	w.statements(w.Intn(2))
	w.line("return r;")
	w.depth = 0
	w.line("}")
	return w.b.String()
}

// concrete runs a program with random schedules and returns the places of the first races
// of each execution: those that come after one may be its consequence (an object found
// through a pointer that was published in a race).
func concrete(t *testing.T, p *ir.Program, runs int) map[[2]int]string {
	t.Helper()
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	main := interp.MainOf(p.FuncByName("main"))
	seen := map[[2]int]string{}
	for run := range runs {
		r := rand.New(rand.NewSource(int64(run)))
		s := m.Start(main, interp.Zero{})
		d := interp.NewRaces()
		stay, last := 1+r.Intn(20), interp.ThreadID(0)
		var ts []interp.ThreadID
		for n := 0; s.Status() == interp.Running && n < 4000; n++ {
			ts = s.AppendEnabled(ts[:0])
			th := ts[r.Intn(len(ts))]
			if r.Intn(stay) > 0 && s.CanStep(last) {
				th = last
			}
			last = th
			races := d.Observe(s.Step(th))
			for _, x := range races {
				a, b := x.First.Instr.At().Line, x.Second.Instr.At().Line
				seen[[2]int{min(a, b), max(a, b)}] = x.String()
			}
			if len(races) > 0 {
				break
			}
		}
	}
	return seen
}

// TestVerifyReportsWhatRuns: a race that some execution of a random program shows is
// among the races that verify reports, or the pair is unknown (design: the engines check
// each other).
func TestVerifyReportsWhatRuns(t *testing.T) {
	for name, program := range map[string]func(int64) string{"any": program, "gates": gateProgram, "tallies": tallyProgram, "permits": permitProgram} {
		t.Run(name, func(t *testing.T) { reportsWhatRuns(t, program) })
	}
}

func reportsWhatRuns(t *testing.T, program func(int64) string) {
	dir := t.TempDir()
	racy, clean := 0, 0
	for k := range *programs {
		n := *seed + int64(k)
		path := filepath.Join(dir, fmt.Sprintf("random%d.c", n))
		if err := os.WriteFile(path, []byte(program(n)), 0o666); err != nil {
			t.Fatal(err)
		}
		rep, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 2})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", n, err, program(n))
		}
		p, err := pipeline.Load(path, pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		told := map[[2]int]bool{}
		for _, x := range rep.Races {
			a, b := x.First.Pos.Line, x.Second.Pos.Line
			told[[2]int{min(a, b), max(a, b)}] = true
		}
		seen := concrete(t, p, 40)
		for at, text := range seen {
			if !told[at] && rep.Verdict != "unknown" {
				t.Errorf("seed %d: an execution shows a race that is not reported: %s\n%s", n, text, program(n))
			}
		}
		if len(seen) > 0 {
			racy++
		} else if rep.Proved() {
			clean++
		}
	}
	t.Logf("seeds %d to %d: %d programs race when run, %d are proved race-free", *seed, *seed+int64(*programs)-1, racy, clean)
}
