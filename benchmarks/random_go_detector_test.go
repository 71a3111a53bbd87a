package benchmarks

import (
	"bytes"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"whoop/internal/randgo"
	"whoop/internal/testscope"
)

var detectorPrograms = flag.Int("detected", testscope.Count(20, 200), "random Go programs that Go's race detector holds the model against")

// yields is the package of the call before statements. Its generator has no lock, which
// would order goroutines.
const yields = `package yield

import (
	"math/rand/v2"
	"runtime"
	"time"
)

func Here() {
	switch rand.IntN(6) {
	case 0:
		runtime.Gosched()
	case 1:
		time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
	}
}
`

// TestRandomGoDetector holds the model of the random programs against Go's race detector:
// what that shows, the model shows. All programs are in one executable. Programs are left
// out where the model says that operations may panic.
func TestRandomGoDetector(t *testing.T) {
	testscope.Brief(t, "it builds with -race")
	t.Logf("%d programs from seed %d on", *detectorPrograms, *seed)
	dir := t.TempDir()
	writeFile(t, dir, "go.mod", "module detected\n\ngo 1.26\n")
	writeFile(t, dir, "yield/yield.go", yields)
	all := map[string]*randgo.Outcome{}
	imports, cases := "import (\n\t\"os\"\n\t\"time\"\n", ""
	for i := range *detectorPrograms {
		p, name := randgo.Generate(uint64(*seed)+uint64(i)), fmt.Sprintf("p%d", i)
		writeFile(t, dir, name+"/p.go", p.Text(randgo.Layout{Package: name, Entry: "Main",
			Yield: "yield.Here(); ", Import: `"detected/yield"`}))
		imports += fmt.Sprintf("\t%q\n", "detected/"+name)
		cases += fmt.Sprintf("\tcase %q:\n\t\t%s.Main()\n", name, name)
		if o := p.Explore(randgo.Budget{Runs: 4000, Steps: 300, Seed: 1}); len(o.Panics) == 0 {
			all[name] = o
		}
	}
	writeFile(t, dir, "main.go", "package main\n\n"+imports+")\n\nfunc main() {\n"+
		"\tgo func() { time.Sleep(100 * time.Millisecond); os.Exit(0) }()\n\tswitch os.Args[1] {\n"+cases+"\t}\n}\n")
	build := exec.Command("go", "build", "-race", "-o", "detected", ".")
	build.Dir = dir
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	shown := 0
	for name, o := range all {
		for c := range detected(t, filepath.Join(dir, "detected"), name, 8) {
			if shown++; !o.Shows(c[0], c[1]) {
				t.Errorf("%s: the detector shows lines %d and %d, and the model does not", name, c[0], c[1])
			}
		}
	}
	t.Logf("%d programs without panics, %d pairs of lines shown", len(all), shown)
}

var place = regexp.MustCompile(`/(p\d+)/p\.go:(\d+)`)

// detected runs a program under the detector, and returns the pairs of lines of its
// reports. Those of WaitGroups lack the call of the operation.
func detected(t *testing.T, exe, name string, runs int) map[[2]int]bool {
	t.Helper()
	out := map[[2]int]bool{}
	for range runs {
		cmd := exec.Command(exe, name)
		var text bytes.Buffer
		cmd.Stderr = &text
		cmd.Env = append(cmd.Environ(), "GORACE=atexit_sleep_ms=0")
		_ = cmd.Run() // a race, or a deadlock, is an error
		for _, r := range strings.Split(text.String(), "WARNING: DATA RACE\n")[1:] {
			first, rest, _ := strings.Cut(r, "\n\n")
			second, _, _ := strings.Cut(rest, "\n\n")
			a, b := place.FindStringSubmatch(first), place.FindStringSubmatch(second)
			group := strings.Contains(r, "runtime.raceread()") || strings.Contains(r, "runtime.racewrite()")
			if a == nil || b == nil || group {
				continue
			}
			m, _ := strconv.Atoi(a[2])
			n, _ := strconv.Atoi(b[2])
			out[[2]int{min(m, n), max(m, n)}] = true
		}
	}
	return out
}
