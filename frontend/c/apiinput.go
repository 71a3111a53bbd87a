package c

import (
	"math/big"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// anyText reports whether what the call works on may be any text: there is none, or it is
// an argument of main that no other call worked on before, which could not yield
// something else.
func (a *apiCall) anyText() bool {
	i := a.m.Text - 1
	if i < 0 {
		return true
	}
	// in a loop, it would be one number each time
	if a.f.Name != "main" || len(a.f.Params) < 2 || i >= len(a.es) || len(a.cnt) > 0 {
		return false
	}
	text, argv := strings.Join(strings.Fields(cc.NodeSource(a.es[i])), ""), a.f.Params[1].Name
	if !strings.HasPrefix(text, argv+"[") && text != "*"+argv || a.texts[text] {
		return false
	}
	if a.texts == nil {
		a.texts = map[string]bool{}
	}
	a.texts[text] = true
	return true
}

// numbers is a format, as it is written, of numbers without widths: each may be any
// number of its type.
var numbers = regexp.MustCompile(`^"([^%"\\]|\\[ntr]|%(h|l|ll)?[diu])*"$`)

// plainNumbers reports whether the format before the model's Inputs lets the numbers be
// any.
func (a *apiCall) plainNumbers() bool {
	i := slices.Min(a.m.Inputs) - 1
	return i >= 0 && i < len(a.es) && numbers.MatchString(strings.TrimSpace(cc.NodeSource(a.es[i])))
}

// input is a number from outside of the program, as the model's result says.
func (a *apiCall) input(t ir.Int) ir.Expr {
	r := a.temp(t)
	a.emit(&ir.Havoc{Base: at(a.x), Dst: r, Input: true})
	v := ir.Use{Reg: r}
	and := func(mask int64) ir.Expr {
		return ir.Binary{Op: "and", X: v, Y: ir.Const{T: t, Val: ir.Wrap(t, big.NewInt(mask))}}
	}
	switch a.m.Ret {
	case "input-nonneg":
		if t.Bits >= 32 {
			return and(1<<31 - 1)
		}
	case "input-char":
		if t.Bits >= 32 {
			return ir.Select{C: ir.Binary{Op: "eq", X: and(256), Y: ir.IntConst(t, 0)}, X: and(255), Y: ir.IntConst(t, -1)}
		}
	}
	return v
}

// inputs sets the pointees of the model's Inputs, and scanned to how many these are;
// write is called for those that are no numbers, and where the text is not any one.
func (a *apiCall) inputs(write func(i int)) {
	var list []int
	for _, i := range a.m.Inputs {
		if i < len(a.vs) && ir.IsPtr(a.vs[i].Type()) {
			list = append(list, i)
		}
	}
	if len(a.m.Inputs) == 0 {
		return
	}
	if !a.anyText() || !a.plainNumbers() {
		for _, i := range list {
			write(i)
		}
		return
	}
	r := a.temp(ir.I32)
	a.emit(&ir.Havoc{Base: at(a.x), Dst: r, Input: true})
	most := int64(len(list))
	u := ir.Binary{Op: "and", X: ir.Use{Reg: r}, Y: ir.IntConst(ir.I32, 15)}
	n := a.hold(a.x, ir.Select{C: ir.Binary{Op: "gt", X: u, Y: ir.IntConst(ir.I32, most+1)}, X: ir.IntConst(ir.I32, -1),
		// 0, which is likely where nothing is said, is a call that reads all
		Y: ir.Binary{Op: "sub", X: ir.IntConst(ir.I32, most), Y: u}})
	a.scanned = n
	for k, i := range list {
		yes, after := a.block("scanned"), a.block("scan")
		p := pos(a.x.Position())
		a.branch(p, ir.Binary{Op: "gt", X: n, Y: ir.IntConst(ir.I32, int64(k))}, yes, after)
		a.start(yes)
		if t, ok := a.vs[i].Type().(ir.Ptr).Elem.(ir.Int); ok && t.Bits >= 16 {
			v := a.temp(t)
			a.emit(&ir.Havoc{Base: at(a.x), Dst: v, Input: true})
			a.emit(&ir.Store{Base: at(a.x), Addr: a.vs[i], Val: ir.Use{Reg: v}, Order: ir.Plain})
		} else {
			write(i)
		}
		a.jump(p, after)
		a.start(after)
	}
}
