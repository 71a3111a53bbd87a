package precise

import (
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
	"whoop/ir/messages"
)

// LibraryExact lowers calls of library functions that bmc knows more about than verify
// needs to; ok is false for others.
func (x *Fn) LibraryExact(p *irgen.Call) (out irgen.Value, ok bool) {
	name := library.Name(p.Fn)
	method := strings.TrimPrefix(name, "(*testing.common).")
	if method != name {
		return nil, x.testing(p, method)
	}
	if c, ok := x.Site.(*ssa.Call); ok && c.Call.StaticCallee() == p.Fn {
		if out, ok := x.MadeText(c); ok {
			return out, true
		}
	}
	switch name {
	case "fmt.Fprint", "fmt.Fprintf", "fmt.Fprintln":
		if x.standard(p) {
			x.PrintsExact(p)
			return x.Zero(p.Fn.Signature.Results()), true
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
		return x.NewError(), true
	case "(*sync.Cond).Signal":
		x.CondExact(p, "signal")
	case "(*sync.Cond).Broadcast":
		x.CondExact(p, "broadcast")
	case "time.Sleep", "runtime.Gosched", "runtime.GC":
	case "math/rand.Intn", "math/rand.Int63n", "math/rand/v2.IntN", "math/rand/v2.Int64N", "math/rand/v2.N":
		if lay := x.lay.Of(p.Fn.Signature.Results()); len(lay.Leaves) != 1 || !ir.Equal(lay.Leaves[0].T, irgen.IntT) {
			return nil, false
		}
		x.PanicUnless(irgen.Bin("gt", p.Args[0][0], ir.IntConst(irgen.IntT, 0)), "invalid argument of a random number generator")
		r := x.anyNumber()
		x.Require(irgen.Bin("lt", r, p.Args[0][0]))
		return irgen.Value{r}, true
	case "math/rand.Int", "math/rand/v2.Int", "time.Since":
		return irgen.Value{x.anyNumber()}, true
	case "time.After":
		return irgen.Value{x.timer(p)}, true
	case "runtime.Goexit":
		x.Raise(irgen.Exits)
	default:
		return nil, false
	}
	return nil, true
}

// NewError is an error that is equal to itself alone.
func (x *Fn) NewError() irgen.Value {
	return irgen.Value{x.Tag(irgen.Foreign), irgen.Typed(x.NewBox(), ir.VPtr)}
}

// errorf is an error that wraps what the format says: one error, or none.
func (x *Fn) errorf(p *irgen.Call) irgen.Value {
	x.PrintsExact(p)
	format, ok := x.Argument(p, 0).(*ssa.Const)
	n := -1
	if ok && format.Value != nil {
		n = strings.Count(constant.StringVal(format.Value), "%w")
	}
	var errs []ssa.Value
	for _, v := range x.Extra[x.Site] {
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
		return x.NewError()
	case n == 1 && len(errs) == 1 && x.Bodies != nil && x.Bodies.Pkg.Func("wrap") != nil:
		in := x.Val(errs[0])
		if t := errs[0].Type(); !types.IsInterface(t) {
			in = x.Boxed(t, in)
		}
		return x.CallFunc(x.Bodies.Pkg.Func("wrap"), in, nil)
	}
	x.Cut("what an error of fmt.Errorf wraps")
	return x.NewError()
}

// timer is a channel from which something can be received at any time.
func (x *Fn) timer(p *irgen.Call) ir.Expr {
	x.p.Assume("timer", ir.Pos{}, "a timer may fire at any time")
	t := p.Fn.Signature.Results().At(0).Type()
	ch := x.MakeObject(t, "timer")
	s := x.lay.ChanObject(t.Underlying().(*types.Chan))
	for _, i := range []int{messages.Cap, messages.Count} {
		x.set(ir.FieldAddr{Base: ch, S: s, Index: i}, ir.IntConst(ir.I32, 1))
	}
	x.set(ir.FieldAddr{Base: ch, S: s, Index: messages.Timer}, one32())
	return ch
}

// testing lowers a method of a test.
func (x *Fn) testing(p *irgen.Call, method string) bool {
	switch method {
	case "Error", "Errorf", "Fatal", "Fatalf", "Skip", "Skipf", "Log", "Logf":
		x.PrintsExact(p)
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
func (x *Fn) fails(p *irgen.Call) {
	end, on := x.Block("fails"), x.Block("goes on")
	x.Jump(end, on)
	x.Start(end)
	x.Emit(&ir.Assert{Base: x.Base(), Cond: ir.BoolConst(false), Tag: "assert", Msg: "the test fails" + x.Said(p)})
	x.Jump(on)
	x.Start(on)
}

// isRoot reports whether the function that is lowered is the one that is run.
func (x *Fn) isRoot() bool {
	return x.Sf != nil && x.Sf.Parent() == nil && x.Sf.Signature.Recv() == nil && x.Sf.Name() == x.Root
}

// Said is the constant text among the arguments of a call, after a colon.
func (x *Fn) Said(p *irgen.Call) string {
	vs := append([]ssa.Value{}, p.CC.Args...)
	for _, v := range append(vs, x.Extra[x.Site]...) {
		if c, ok := v.(*ssa.Const); ok && c.Value != nil && c.Value.Kind() == constant.String {
			return ": " + constant.StringVal(c.Value)
		}
	}
	return ""
}

// ExitExact ends the program or the goroutine.
func (x *Fn) ExitExact(p *irgen.Call, m *library.Func) irgen.Value {
	name := library.Name(p.Fn)
	switch {
	case m.Op == library.OpPanic && x.Unwinds != nil:
		x.Cut("a panic by " + name + " in a program that recovers")
	case m.Op == library.OpPanic:
		x.PanicUnless(ir.BoolConst(false), "panic"+x.Said(p))
	case m.Op == library.OpExit:
		x.Cut("the end of a goroutine by " + name)
	}
	x.Stop("abort")
	x.Start(x.Block("dead"))
	return x.Zero(p.Fn.Signature.Results())
}

// standard reports whether the first argument of a call is os.Stdout or os.Stderr.
func (x *Fn) standard(p *irgen.Call) bool {
	m, ok := x.Argument(p, 0).(*ssa.MakeInterface)
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
func (x *Fn) appendText(p *irgen.Call, write bool) irgen.Value {
	x.nonNilExpr(p.Args[0][0])
	at := x.Member(p.Args[0][0], irgen.RecvType(p), 0)
	if write {
		x.Emit(&ir.Store{Base: x.Base(), Addr: at, Val: ir.IntConst(irgen.OpaqueT, unknownText), Order: ir.Plain})
	} else {
		x.Emit(&ir.Load{Base: x.Base(), Dst: x.Temp(irgen.OpaqueT), Addr: at, Order: ir.Plain})
	}
	if c, ok := x.Site.(*ssa.Call); ok && len(form.Uses(c)) == 0 {
		return x.Zero(p.Fn.Signature.Results())
	}
	return x.UnknownValue(p.Fn.Signature.Results())
}

func (x *Fn) nonNilExpr(p ir.Expr) {
	x.PanicUnless(irgen.Not(irgen.IsNil(p)), "nil pointer dereference")
}

// anyNumber is a number that is not negative, an input of the program.
func (x *Fn) anyNumber() ir.Expr {
	r := x.Temp(irgen.IntT)
	x.Emit(&ir.Havoc{Base: x.Base(), Dst: r, Input: true})
	x.Require(irgen.Bin("ge", ir.Use{Reg: r}, ir.IntConst(irgen.IntT, 0)))
	return ir.Use{Reg: r}
}
