package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"whoop/trace"
)

// Iterations of a loop that do the same, numbers aside, are shown once where there are at
// least minTurns; loops of more than maxTurn steps are shown as they are.
const minTurns, maxTurn = 3, 40

// folded is steps of one thread, or how many iterations like the one before are left out.
type folded struct {
	steps []trace.Step
	turns int
}

// fold leaves out iterations: of steps without a switch, those that repeat what has been
// shown, but for the last of them, which says how the loop was left.
func fold(steps []trace.Step) []folded {
	keys := make([]string, len(steps))
	for i, s := range steps {
		keys[i] = turnKey(s)
	}
	var out []folded
	shown := 0
	for i := 0; i < len(steps); {
		n, turns := turnsAt(keys[i:])
		if turns < minTurns {
			i++
			continue
		}
		if plain := steps[shown : i+n]; len(plain) > 0 {
			out = append(out, folded{steps: plain})
		}
		out = append(out, folded{turns: turns - 2})
		i += (turns - 1) * n
		shown = i
		i += n
	}
	return append(out, folded{steps: steps[shown:]})
}

var digits = regexp.MustCompile(`-?\d+`)

// turnKey is what steps of different iterations have in common. A step that is more than
// the others is like no other.
func turnKey(s trace.Step) string {
	if s.Last || s.Switch || s.Again {
		return ""
	}
	return fmt.Sprint(s.Pos, digits.ReplaceAllString(s.Text, "0"), s.Locks)
}

// turnsAt is the length of the loop that begins with the first step and does most turns,
// and how many these are.
func turnsAt(keys []string) (length, turns int) {
	for n := 1; n <= min(maxTurn, len(keys)/minTurns); n++ {
		turn := keys[:n]
		if slices.Contains(turn, "") {
			break
		}
		k := 1
		for (k+1)*n <= len(keys) && slices.Equal(keys[k*n:(k+1)*n], turn) {
			k++
		}
		if k >= minTurns && k*n > turns*length {
			length, turns = n, k
		}
	}
	return length, turns
}

// temporary matches what a thread does with variables of macros and compilers alone, which
// no reader knows.
var temporary = regexp.MustCompile(`^((reads|writes) \d+ bytes of )?(__\w*|current_stack_pointer)(\W.*)?$`)

// telling leaves out the steps of a thread's turn that say nothing new: what it reads
// again unchanged, and temporary variables.
func telling(run []trace.Step) []trace.Step {
	var out []trace.Step
	known := map[string]string{} // what was read or written last, by its name
	for _, s := range run {
		keep := s.Last || s.Switch || s.Again || s.Text == ""
		if !keep && temporary.MatchString(s.Text) {
			continue
		}
		name, value, read := strings.Cut(s.Text, " is ")
		if !read {
			name, value, _ = strings.Cut(s.Text, " := ")
		}
		if !keep && read && value != "" && known[name] == value {
			continue
		}
		if strings.Contains(value, ", ") { // several accesses
			clear(known)
		} else {
			known[name] = value
		}
		out = append(out, s)
	}
	return out
}
