package c

import (
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// A conversion of a format: which of the arguments after it is meant (from 0), what is
// done with it, and its length modifier.
type conversion struct {
	arg    int
	verb   byte
	length string
}

var (
	// printfConversion is one of printf's: position, width and precision by arguments,
	// length, verb.
	printfConversion = regexp.MustCompile(`%(?:(\d+)\$)?[-+ #0'I]*(\*\d*\$?|\d+)?(?:\.(\*\d*\$?|-?\d*))?(hh|h|ll|l|q|L|j|z|Z|t)?([a-zA-Z%])`)
	// scanfConversion is one of scanf's: position, whether nothing is stored, length,
	// verb.
	scanfConversion = regexp.MustCompile(`%(?:(\d+)\$)?['I]*(\*)?['I]*\d*(m?(?:hh|h|ll|l|q|L|j|z|t)?)(\[\^?\]?[^\]]*\]|[a-zA-Z%])`)
	// storesCount finds a conversion of a format that writes: %n.
	storesCount = regexp.MustCompile(`%[-+ #0-9.*$hljztL]*n`)
)

// printfConversions takes a format apart; ok is false where it is not understood.
func printfConversions(format string) (out []conversion, ok bool) {
	next := 0
	for _, m := range printfConversion.FindAllStringSubmatch(format, -1) {
		for _, star := range m[2:4] {
			if strings.Contains(star, "$") {
				return nil, false
			}
			if star == "*" {
				next++
			}
		}
		switch verb := m[5][0]; {
		case verb == '%' || verb == 'm':
		case m[1] != "":
			out = append(out, conversion{position(m[1]), verb, m[4]})
		default:
			out = append(out, conversion{next, verb, m[4]})
			next++
		}
	}
	return out, strings.Count(printfConversion.ReplaceAllString(format, ""), "%") == 0
}

// scanfConversions does the same for formats of scanf.
func scanfConversions(format string) (out []conversion, ok bool) {
	next := 0
	for _, m := range scanfConversion.FindAllStringSubmatch(format, -1) {
		switch verb := m[4][0]; {
		case verb == '%' || m[2] != "":
		case m[1] != "":
			out = append(out, conversion{position(m[1]), verb, m[3]})
		default:
			out = append(out, conversion{next, verb, m[3]})
			next++
		}
	}
	return out, strings.Count(scanfConversion.ReplaceAllString(format, ""), "%") == 0
}

// position is the index of an argument that a format names by its number, from 1.
func position(digits string) int {
	n := 0
	for _, d := range digits {
		n = min(10*n+int(d-'0'), 1<<16)
	}
	return n - 1
}

// size is how large a number with this length modifier is.
func (c conversion) size() int64 {
	switch c.length {
	case "hh":
		return 1
	case "h":
		return 2
	case "":
		return 4
	}
	return 8
}

// literal is the text of an argument that is a string literal, or one that is cast.
func (a *apiCall) literal(i int) (string, bool) {
	if i < 0 || i >= len(a.es) {
		return "", false
	}
	e := unparen(a.es[i])
	for {
		c, isCast := e.(*cc.CastExpression)
		if !isCast || c.Case != cc.CastExpressionCast {
			break
		}
		e = unparen(c.CastExpression)
	}
	p, ok := e.(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionString {
		return "", false
	}
	return stringValue(p)
}

// printed reads the format and the strings after it. With %n in the format, or where the
// format is not seen, numbers are written too.
func (a *apiCall) printed() {
	f := a.m.Strings - 1
	format, seen := a.literal(f)
	if !seen && f < len(a.vs) && a.isText(f) {
		a.touchArg(f, nil, false)
	}
	cs, known := printfConversions(format)
	if seen && known {
		for _, c := range cs {
			i := f + 1 + c.arg
			if i >= len(a.vs) || !ir.IsPtr(a.vs[i].Type()) {
				continue
			}
			switch c.verb {
			case 's', 'S':
				a.readString(i)
			case 'n':
				a.touchArg(i, ir.IntConst(ir.U64, c.size()), true)
			}
		}
		return
	}
	counts := !seen || storesCount.MatchString(format)
	for i := f + 1; i < len(a.vs); i++ {
		if constantText(a.vs[i]) || !ir.IsPtr(a.vs[i].Type()) {
			continue
		}
		if a.isText(i) {
			a.mayTouch(i, memberSize(a.vs[i]), false)
		}
		if e := pointee(a.vs[i]); counts && e != nil && ir.IsInt(e) {
			a.mayTouch(i, ir.IntConst(ir.U64, e.Size()), true)
		}
	}
}

// mayTouch accesses what argument i points to, or not.
func (a *apiCall) mayTouch(i int, n ir.Expr, write bool) {
	if a.u.core {
		a.touchArg(i, n, write)
		return
	}
	a.touchPerhaps(a.vs[i], n, write)
}

// isText reports whether argument i may point to a text: characters, wide ones, or what
// is not said.
func (a *apiCall) isText(i int) bool {
	p, ok := a.vs[i].Type().(ir.Ptr)
	return ok && (ir.Equal(p.Elem, ir.Void{}) || ir.IsInt(p.Elem) && (p.Elem.Size() == 1 || p.Elem.Size() == 4))
}

// readString reads the string that argument i points to.
func (a *apiCall) readString(i int) {
	if a.u.core || constantText(a.vs[i]) {
		a.touchArg(i, nil, false)
		return
	}
	a.touchText(a.vs[i], memberSize(a.vs[i]), false)
}

// constantText reports whether an argument leads to what nothing writes, or is null.
func constantText(v ir.Expr) bool {
	switch b := base(v).(type) {
	case ir.GlobalAddr:
		return b.Global.Const
	case ir.Null:
		return true
	}
	return false
}

// scannedInto writes what a call of scanf's kind stores through those of the model's
// Inputs that are no plain numbers.
func (a *apiCall) scannedInto() func(i int) {
	first := slices.Min(a.m.Inputs)
	format, seen := a.literal(first - 1)
	cs, known := scanfConversions(format)
	return func(i int) {
		if a.u.core || constantText(a.vs[i]) {
			a.touchArg(i, nil, true)
			return
		}
		c := conversion{verb: 's'} // where the format is not seen
		if seen && known {
			k := slices.IndexFunc(cs, func(c conversion) bool { return c.arg == i-first })
			if k < 0 {
				return // nothing is stored there
			}
			c = cs[k]
		}
		e := pointee(a.vs[i])
		switch {
		case strings.HasPrefix(c.length, "m"):
			a.storeNew(a.vs[i])
		case ir.IsPtr(e) && e != nil: // %p
			a.storeUnknown(a.vs[i])
		case c.verb == 's' || c.verb == 'S' || c.verb == 'c' || c.verb == 'C' || c.verb == '[':
			if !seen || !known {
				a.mayTouch(i, memberSize(a.vs[i]), true)
				return
			}
			a.touchText(a.vs[i], memberSize(a.vs[i]), true)
		case e == nil || ir.Equal(e, ir.Void{}):
			a.touchBytes(a.vs[i], ir.IntConst(ir.U64, c.size()), true)
		default:
			a.touchBytes(a.vs[i], ir.IntConst(ir.U64, max(e.Size(), 1)), true)
		}
	}
}
