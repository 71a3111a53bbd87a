package classic

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// expectation is what a program's EXPECT comments say.
type expectation struct {
	least            map[string]int // the kinds of bugs with the least csb; empty: none
	csb, unroll      int            // bounds of bmc
	deep             int            // the csb with -slow, if greater
	explore          int            // bound of the explorer, -1: none
	all              bool           // none: with any number of preemptions
	slow             bool
	racing, asserted map[int]bool // lines marked RACE!, lines with an assertion
}

// expectations reads the comments of a program.
func expectations(file string) (*expectation, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	e := &expectation{least: map[string]int{}, unroll: 2, explore: -1, racing: map[int]bool{}, asserted: map[int]bool{}}
	lines := bufio.NewScanner(f)
	count, marked := 0, false
	for n := 1; lines.Scan(); n++ {
		s := lines.Text()
		e.racing[n] = strings.HasSuffix(s, "// RACE!")
		marked = marked || e.racing[n]
		e.asserted[n] = strings.Contains(s, "assert(") || strings.Contains(s, "reach_error()")
		if words, ok := strings.CutPrefix(s, "// EXPECT "); ok {
			count++
			if err := e.read(strings.Fields(words)); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, n, err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if count == 0 || len(e.least) != count && (count > 1 || len(e.least) > 0) {
		return nil, fmt.Errorf("%s: %d EXPECT comments, which name %d kinds of bugs", file, count, len(e.least))
	}
	if _, races := e.least["race"]; races != marked {
		return nil, fmt.Errorf("%s: a race is expected: %t; lines are marked RACE!: %t", file, races, marked)
	}
	return e, nil
}

// read takes in the words of one EXPECT comment.
func (e *expectation) read(words []string) error {
	if len(words) == 0 {
		return fmt.Errorf("nothing is said")
	}
	csb := -1
	for _, w := range words[1:] {
		key, val, numbered := strings.Cut(w, "=")
		n, err := strconv.Atoi(val)
		if numbered && (err != nil || n < 0) {
			return fmt.Errorf("%q is no number", val)
		}
		switch {
		case key == "csb" && numbered:
			csb = n
		case key == "unroll" && n > 0:
			e.unroll = n
		case key == "deep" && numbered:
			e.deep = n
		case key == "explore" && numbered:
			e.explore = n
		case w == "all":
			e.all = true
		case w == "slow":
			e.slow = true
		default:
			return fmt.Errorf("%q is not understood", w)
		}
	}
	if csb < 0 {
		return fmt.Errorf("no csb is given")
	}
	e.csb = max(e.csb, csb)
	switch words[0] {
	case "none":
	case "assertion", "race", "deadlock", "double-lock", "unlock-not-held":
		e.least[words[0]] = csb
	default:
		return fmt.Errorf("%q is no kind of bug", words[0])
	}
	return nil
}

// TestExpectations: what the comments say is understood, or refused.
func TestExpectations(t *testing.T) {
	e := expectation{least: map[string]int{}, unroll: 2, explore: -1}
	for _, s := range []string{"race csb=1 unroll=3", "assertion csb=2 slow deep=4 explore=5"} {
		if err := e.read(strings.Fields(s)); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
	}
	if e.csb != 2 || e.unroll != 3 || e.deep != 4 || e.explore != 5 || !e.slow || e.all || e.least["race"] != 1 || e.least["assertion"] != 2 {
		t.Errorf("%+v", e)
	}
	for _, s := range []string{"", "none", "none csb", "none csb=x", "none csb=-1", "none csb=1 unroll=0", "livelock csb=1", "none csb=1 every"} {
		if err := e.read(strings.Fields(s)); err == nil {
			t.Errorf("%q is understood", s)
		}
	}
}
