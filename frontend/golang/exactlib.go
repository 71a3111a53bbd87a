package golang

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// libraryExact lowers calls of library functions that bmc knows more about than verify
// needs to; ok is false for others.
func (x *fn) libraryExact(p *prepared) (out irgen.Value, ok bool) {
	name := library.Name(p.fn)
	method := strings.TrimPrefix(name, "(*testing.common).")
	if method != name {
		return nil, x.testing(p, method)
	}
	if c, ok := x.site.(*ssa.Call); ok && c.Call.StaticCallee() == p.fn {
		if out, ok := x.madeText(c); ok {
			return out, true
		}
	}
	switch name {
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln":
		if x.standard(p) {
			x.printsExact(p)
			return x.Zero(p.fn.Signature.Results()), true
		}
		return nil, false
	case "(*strings.Builder).WriteString", "(*strings.Builder).WriteByte", "(*strings.Builder).WriteRune", "(*bytes.Buffer).WriteString", "(*bytes.Buffer).WriteByte",
		"(*bytes.Buffer).WriteRune":
		return x.appendText(p, true), true
	case "(*strings.Builder).String", "(*bytes.Buffer).String":
		return x.appendText(p, false), true
	case "fmt.Errorf":
		return x.errorf(p), true
	case "errors.New", "golang.org/x/xerrors.New":
		return x.newError(), true
	case "(*sync.Cond).Signal":
		x.condExact(p, "signal")
	case "(*sync.Cond).Broadcast":
		x.condExact(p, "broadcast")
	case "time.Sleep", "runtime.Gosched", "runtime.GC":
	case "math/rand.Intn", "math/rand.Int63n", "math/rand/v2.IntN", "math/rand/v2.Int64N", "math/rand/v2.N":
		if lay := x.lay.Of(p.fn.Signature.Results()); len(lay.Leaves) != 1 || !ir.Equal(lay.Leaves[0].T, irgen.IntT) {
			return nil, false
		}
		x.panicUnless(irgen.Bin("gt", p.args[0][0], ir.IntConst(irgen.IntT, 0)), "invalid argument of a random number generator")
		r := x.anyNumber()
		x.require(irgen.Bin("lt", r, p.args[0][0]))
		return irgen.Value{r}, true
	case "math/rand.Int", "math/rand/v2.Int", "time.Since":
		return irgen.Value{x.anyNumber()}, true
	case "time.After":
		return irgen.Value{x.timer(p)}, true
	case "runtime.Goexit":
		x.raise(exits)
	default:
		return nil, false
	}
	return nil, true
}

// newError is an error that is equal to itself alone.
func (x *fn) newError() irgen.Value {
	return irgen.Value{x.tag(foreign), irgen.Typed(x.newBox(), ir.VPtr)}
}

// errorf is an error that wraps what the format says: one error, or none.
func (x *fn) errorf(p *prepared) irgen.Value {
	x.printsExact(p)
	format, ok := x.argument(p, 0).(*ssa.Const)
	n := -1
	if ok && format.Value != nil {
		n = strings.Count(constant.StringVal(format.Value), "%w")
	}
	var errs []ssa.Value
	for _, v := range x.extra[x.site] {
		from := v
		if c, ok := v.(*ssa.ChangeInterface); ok {
			from = c.X
		}
		if types.Implements(from.Type(), types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
			errs = append(errs, v)
		} else if m, ok := v.(*ssa.MakeInterface); ok && types.Implements(m.X.Type(), types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
			errs = append(errs, v)
		}
	}
	switch {
	case n == 0:
		return x.newError()
	case n == 1 && len(errs) == 1 && x.Bodies != nil && x.Bodies.Pkg.Func("wrap") != nil:
		in := x.val(errs[0])
		if t := errs[0].Type(); !types.IsInterface(t) {
			in = x.boxed(t, in)
		}
		return x.callFunc(x.Bodies.Pkg.Func("wrap"), in, nil)
	}
	x.cut("what an error of fmt.Errorf wraps")
	return x.newError()
}

// timer is a channel from which something can be received at any time.
func (x *fn) timer(p *prepared) ir.Expr {
	x.p.Assume("timer", ir.Pos{}, "a timer may fire at any time")
	t := p.fn.Signature.Results().At(0).Type()
	ch := x.makeObject(t, "timer")
	s := x.lay.ChanObject(t.Underlying().(*types.Chan))
	for _, i := range []int{irgen.ChanCap, irgen.ChanCount} {
		x.set(ir.FieldAddr{Base: ch, S: s, Index: i}, ir.IntConst(ir.I32, 1))
	}
	x.set(ir.FieldAddr{Base: ch, S: s, Index: irgen.ChanTimer}, one32())
	return ch
}

// testing lowers a method of a test.
func (x *fn) testing(p *prepared, method string) bool {
	switch method {
	case "Error", "Errorf", "Fatal", "Fatalf", "Skip", "Skipf", "Log", "Logf":
		x.printsExact(p)
	}
	switch method {
	case "Error", "Errorf", "Fail":
		x.fails(p)
	case "FailNow", "Fatal", "Fatalf":
		x.fails(p)
		x.endTest("what comes after a test has ended itself in a function it calls")
	case "Skip", "SkipNow", "Skipf":
		x.endTest("a test that is skipped in a function it calls")
	case "Log", "Logf", "Helper":
	default:
		return false
	}
	return true
}

// fails is an assertion that fails. A test that has failed goes on: there may be more to
// find, which other properties ask for.
func (x *fn) fails(p *prepared) {
	end, on := x.Block("fails"), x.Block("goes on")
	x.Jump(end, on)
	x.Start(end)
	x.Emit(&ir.Assert{Base: x.Base(), Cond: ir.BoolConst(false), Tag: "assert", Msg: "the test fails" + x.said(p)})
	x.Jump(on)
	x.Start(on)
}

// isRoot reports whether the function that is lowered is the one that is run.
func (x *fn) isRoot() bool {
	return x.sf != nil && x.sf.Parent() == nil && x.sf.Signature.Recv() == nil && x.sf.Name() == x.root
}

// said is the constant text among the arguments of a call, after a colon.
func (x *fn) said(p *prepared) string {
	vs := append([]ssa.Value{}, p.cc.Args...)
	for _, v := range append(vs, x.extra[x.site]...) {
		if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
			return ": " + constant.StringVal(c.Value)
		}
	}
	return ""
}

// exitExact ends the program or the goroutine.
func (x *fn) exitExact(p *prepared, m *library.Func) irgen.Value {
	name := library.Name(p.fn)
	switch {
	case m.Op == "panic" && x.unwinding != nil:
		x.cut("a panic by " + name + " in a program that recovers")
	case m.Op == "panic":
		x.panicUnless(ir.BoolConst(false), "panic"+x.said(p))
	case m.Op == "exit":
		x.cut("the end of a goroutine by " + name)
	}
	x.Stop("abort")
	x.Start(x.Block("dead"))
	return x.Zero(p.fn.Signature.Results())
}

// standard reports whether the first argument of a call is os.Stdout or os.Stderr.
func (x *fn) standard(p *prepared) bool {
	m, ok := x.argument(p, 0).(*ssa.MakeInterface)
	if !ok {
		return false
	}
	u, ok := m.X.(*ssa.UnOp)
	if !ok {
		return false
	}
	g, ok := u.X.(*ssa.Global)
	return ok && g.Pkg.Pkg.Path() == "os" && (g.Name() == "Stdout" || g.Name() == "Stderr")
}

// appendText is an operation of a buffer of text, whose contents are not known: it writes
// or reads the buffer as a whole.
func (x *fn) appendText(p *prepared, write bool) irgen.Value {
	x.nonNilExpr(p.args[0][0])
	at := x.member(p.args[0][0], recvType(p), 0)
	if write {
		x.Emit(&ir.Store{Base: x.Base(), Addr: at, Val: ir.IntConst(irgen.OpaqueT, unknownText), Order: ir.Plain})
	} else {
		x.Emit(&ir.Load{Base: x.Base(), Dst: x.Temp(irgen.OpaqueT), Addr: at, Order: ir.Plain})
	}
	if c, ok := x.site.(*ssa.Call); ok && len(form.Uses(c)) == 0 {
		return x.Zero(p.fn.Signature.Results())
	}
	return x.unknownValue(p.fn.Signature.Results())
}

func (x *fn) nonNilExpr(p ir.Expr) {
	x.panicUnless(irgen.Not(irgen.IsNil(p)), "nil pointer dereference")
}

// anyNumber is a number that is not negative, an input of the program.
func (x *fn) anyNumber() ir.Expr {
	r := x.Temp(irgen.IntT)
	x.Emit(&ir.Havoc{Base: x.Base(), Dst: r, Input: true})
	x.require(irgen.Bin("ge", ir.Use{Reg: r}, ir.IntConst(irgen.IntT, 0)))
	return ir.Use{Reg: r}
}
