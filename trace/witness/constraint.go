package witness

import (
	"regexp"
	"strconv"
	"strings"

	"whoop/ir"
	"whoop/ir/interp"
)

// atom is a comparison of a name, or \result, with a constant.
type atom struct {
	name, op string
	value    int64
	big      uint64 // the value of constants beyond int64
}

var comparison = regexp.MustCompile(`^(\\result|\**[A-Za-z_](?:\w|\.|->|\[|\])*)(==|!=|<=|>=|<|>)(-?)\(?(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\)?$`)
var reversed = regexp.MustCompile(`^(-?)\(?(0[xX][0-9a-fA-F]+|\d+)[uUlL]*\)?(==|!=|<=|>=|<|>)(\\result|\**[A-Za-z_](?:\w|\.|->|\[|\])*)$`)

// atoms splits a conjunction into comparisons that are understood; all tells whether that
// is the whole.
func atoms(constraint string) (out []atom, all bool) {
	all = true
	for _, c := range strings.FieldsFunc(strings.ReplaceAll(constraint, "&&", ";"), func(r rune) bool { return r == ';' }) {
		flat := spaces.ReplaceAllString(c, "")
		for strings.HasPrefix(flat, "(") && strings.HasSuffix(flat, ")") && strings.Count(flat, "(") == strings.Count(flat, ")") {
			flat = flat[1 : len(flat)-1]
		}
		if flat == "1" || flat == "true" || flat == "" {
			continue
		}
		a, ok := parseAtom(flat)
		if !ok {
			all = false
			continue
		}
		out = append(out, a)
	}
	return out, all
}

func parseAtom(s string) (atom, bool) {
	m := comparison.FindStringSubmatch(s)
	if m == nil {
		r := reversed.FindStringSubmatch(s)
		if r == nil {
			return atom{}, false
		}
		mirror := map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
		m = []string{"", r[4], mirror[r[3]], r[1], r[2]}
	}
	v, err := strconv.ParseUint(m[4], 0, 64)
	if err != nil {
		return atom{}, false
	}
	a := atom{name: m[1], op: m[2], value: int64(v), big: v}
	if m[3] == "-" {
		a.value, a.big = -a.value, -a.big
	}
	return a, true
}

// solution is a value for which the comparison holds, as bits.
func (a atom) solution() uint64 {
	switch a.op {
	case "!=", ">":
		return a.big + 1
	case "<":
		return a.big - 1
	}
	return a.big
}

// holds compares a value of a type.
func (a atom) holds(t ir.Type, v uint64) bool {
	signed := true
	if i, ok := t.(ir.Int); ok {
		n := max(64-int(i.Bits), 0)
		if signed = i.Signed; signed {
			v = uint64(int64(v<<n) >> n)
		} else {
			v = v << n >> n
		}
	}
	less, equal := v < a.big, v == a.big
	if signed {
		less = int64(v) < a.value
	} else if a.value < 0 && a.big > 1<<63 { // a negative constant is converted
		n := 0
		if i, ok := t.(ir.Int); ok {
			n = max(64-int(i.Bits), 0)
		}
		less, equal = v < a.big<<n>>n, v == a.big<<n>>n
	}
	switch a.op {
	case "==":
		return equal
	case "!=":
		return !equal
	case "<":
		return less
	case "<=":
		return less || equal
	case ">":
		return !less && !equal
	}
	return !less
}

// truth is what is known of a constraint in a state.
type truth int

const (
	unknown truth = iota
	no
	yes
)

// evaluate decides a constraint over global variables and the registers of a thread's
// innermost call.
func evaluate(p *ir.Program, s *interp.State, id interp.ThreadID, constraint string) truth {
	as, all := atoms(constraint)
	out := yes
	if !all {
		out = unknown
	}
	for _, a := range as {
		t, v, ok := lookUp(p, s, id, a.name)
		switch {
		case !ok:
			out = unknown
		case !a.holds(t, v):
			return no
		}
	}
	return out
}

// lookUp finds a variable's value.
func lookUp(p *ir.Program, s *interp.State, id interp.ThreadID, name string) (ir.Type, uint64, bool) {
	if st := s.Stack(id); len(st) > 0 && st[0].Func != nil {
		for _, r := range append(append([]*ir.Reg(nil), st[0].Func.Params...), st[0].Func.Regs...) {
			if r.Name != name || !integer(r.Type) {
				continue
			}
			v, err := s.Register(id, r)
			if err != nil || len(v) != 1 {
				return nil, 0, false
			}
			return r.Type, v[0], true
		}
	}
	for _, g := range p.Globals {
		if g.Name == name && integer(g.Type) {
			v, ok := s.Global(g, 0, g.Type)
			if !ok || len(v) != 1 {
				return nil, 0, false
			}
			return g.Type, v[0], true
		}
	}
	return nil, 0, false
}

func integer(t ir.Type) bool {
	i, ok := t.(ir.Int)
	return ok && i.Bits <= 64
}
