package precise

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Strings that a program makes of one number, exactly: fmt.Sprintf("key%d", i),
// strconv.Itoa(i), "key" + strconv.Itoa(i), string(rune('a' + i)). They have numbers as
// constants have, of the form that they are made by and of the number that they are made
// of, so that they are equal when their texts are.

// textForm is a way in which texts are made: the number in decimal, or as a character,
// between two constants.
type textForm struct {
	before, after string
	char          bool
}

// madeShift is where the number of a form begins in that of a text, above the number that
// the text is made of.
const madeShift = 20

// madeForm is the form of a value, and the number that it is made of.
func madeForm(v ssa.Value) (f textForm, of ssa.Value, ok bool) {
	switch v := v.(type) {
	case *ssa.Convert:
		b, text := v.Type().Underlying().(*types.Basic)
		return textForm{char: true}, v.X, text && b.Info()&types.IsString != 0 && form.IsInt(v.X.Type().Underlying())
	case *ssa.BinOp:
		if v.Op != token.ADD {
			break
		}
		if s, is := constantText(v.X); is {
			f, of, ok = madeForm(v.Y)
			f.before = s + f.before
			return f, of, ok
		}
		if s, is := constantText(v.Y); is {
			f, of, ok = madeForm(v.X)
			f.after += s
			return f, of, ok
		}
	case *ssa.ChangeType:
		return madeForm(v.X)
	case *ssa.Call:
		return callForm(v)
	}
	return f, nil, false
}

func callForm(c *ssa.Call) (f textForm, of ssa.Value, ok bool) {
	g := c.Call.StaticCallee()
	if g == nil {
		return f, nil, false
	}
	args := c.Call.Args
	switch library.Name(g) {
	case "strconv.Itoa":
		return f, args[0], true
	case "strconv.FormatInt", "strconv.FormatUint":
		base, is := args[1].(*ssa.Const)
		return f, args[0], is && base.Int64() == 10
	case "fmt.Sprint":
		elems, _ := form.VariadicElems(c)
		return f, one(elems), decimal(one(elems))
	case "fmt.Sprintf":
		format, is := constantText(args[0])
		elems, _ := form.VariadicElems(c)
		before, after, verb := strings.Cut(format, "%")
		if !is || !verb || !decimal(one(elems)) || after == "" || !strings.Contains("dv", after[:1]) || strings.Contains(after, "%") {
			break
		}
		return textForm{before: before, after: after[1:]}, elems[0], true
	}
	return f, nil, false
}

func one(vs []ssa.Value) ssa.Value {
	if len(vs) != 1 {
		return nil
	}
	return vs[0]
}

// decimal reports whether package fmt prints a value as a number in decimal: it is an
// integer without methods that say otherwise.
func decimal(v ssa.Value) bool {
	if v == nil {
		return false
	}
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	return form.IsInt(v.Type().Underlying()) && types.NewMethodSet(v.Type()).Len() == 0
}

func constantText(v ssa.Value) (string, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(c.Value), true
}

// FindForms lists the forms of the texts that functions make. Of two in which the same
// text might be made in two ways, none is one.
func FindForms(fs []*ssa.Function) []textForm {
	var all []textForm
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				v, isValue := in.(ssa.Value)
				if !isValue {
					continue
				}
				if form, _, ok := madeForm(v); ok && !slices.Contains(all, form) {
					all = append(all, form)
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b textForm) int {
		return strings.Compare(strconv.Quote(a.before)+strconv.Quote(a.after)+strconv.FormatBool(a.char), strconv.Quote(b.before)+strconv.Quote(b.after)+strconv.FormatBool(b.char))
	})
	var out []textForm
	for _, f := range all {
		if !slices.ContainsFunc(all, func(g textForm) bool { return g != f && collide(f, g) }) {
			out = append(out, f)
		}
	}
	return out
}

// collide reports whether one text might be of two forms. Numbers are not negative.
func collide(f, g textForm) bool {
	// a character may be any: texts of the same number of characters may be of both forms
	if f.char || g.char {
		m, n := utf8.RuneCountInString(f.before+f.after)+1, utf8.RuneCountInString(g.before+g.after)+1
		return m == n || m > n && !g.char || n > m && !f.char
	}
	if len(f.before) > len(g.before) {
		f, g = g, f
	}
	rest, ok := strings.CutPrefix(g.before, f.before)
	if !ok || rest != "" && !digit(rest[0]) {
		return false
	}
	if len(f.after) > len(g.after) {
		f, g = g, f
	}
	rest, ok = strings.CutSuffix(g.after, f.after)
	return ok && (rest == "" || digit(rest[len(rest)-1]))
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// number is that of a text which is of one of the forms, with a number that is followed.
func (f textForm) number(s string) (int64, bool) {
	if len(s) < len(f.before)+len(f.after) || !strings.HasPrefix(s, f.before) || !strings.HasSuffix(s, f.after) {
		return 0, false
	}
	mid := s[len(f.before) : len(s)-len(f.after)]
	if f.char {
		r, n := utf8.DecodeRuneInString(mid)
		return int64(r), n == len(mid) && f.follows(int64(r)) && r != utf8.RuneError
	}
	n, err := strconv.ParseInt(mid, 10, 32)
	return n, err == nil && strconv.FormatInt(n, 10) == mid && f.follows(n)
}

// follows reports whether texts of the form and a number are followed: characters that
// stand for themselves.
func (f textForm) follows(n int64) bool { return 0 <= n && n < f.most() }

func (f textForm) most() int64 {
	if f.char {
		return 0xd800
	}
	return 1 << madeShift
}

// MadeNumber is the number of a constant that is of one of the forms.
func (l *Program) MadeNumber(quoted string) (int64, bool) {
	s, err := strconv.Unquote(quoted)
	if err != nil {
		return 0, false
	}
	for i, f := range l.Forms {
		if n, ok := f.number(s); ok {
			return int64(i+1)<<madeShift | n, true
		}
	}
	return 0, false
}

// MadeText is a value that is a text of one of the forms.
func (x *Fn) MadeText(v ssa.Value) (irgen.Value, bool) {
	if !x.Exact {
		return nil, false
	}
	f, of, ok := madeForm(v)
	i := slices.Index(x.Forms, f)
	if !ok || i < 0 {
		return nil, false
	}
	if m, boxed := of.(*ssa.MakeInterface); boxed {
		of = m.X
	}
	n := x.Hold(x.One(of))
	t := n.Type().(ir.Int)
	out := x.Temp(irgen.OpaqueT)
	x.Assign(out, ir.IntConst(irgen.OpaqueT, unknownText))
	inside, bits := ir.Expr(ir.BoolConst(true)), t.Bits
	if t.Signed {
		bits--
	}
	if bits > 31 || int64(1)<<bits > f.most() {
		inside = irgen.Bin("lt", n, ir.IntConst(t, f.most()))
	}
	if t.Signed {
		inside = irgen.Bin("land", irgen.Bin("ge", n, ir.IntConst(t, 0)), inside)
	}
	x.When(inside, func() {
		x.Assign(out, irgen.Bin("or", ir.IntConst(irgen.OpaqueT, int64(i+1)<<madeShift), irgen.Typed(n, irgen.OpaqueT)))
	})
	return irgen.Value{ir.Use{Reg: out}}, true
}
