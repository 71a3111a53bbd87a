package irutil

import (
	"slices"

	"whoop/ir"
)

// Tested tells what a program's decisions may depend on: branches, assumptions and
// assertions, the addresses of accesses and the operands of synchronisation; and which
// constants are compared with it. It follows values through registers, calls, members of
// structs, globals and other memory by its type, without regard to order. It serves to
// choose which values to try, not to prove anything: what takes a way that it does not
// follow, through bytes for instance, is not told.
type Tested struct {
	nodes map[any]*Against
	again bool
}

// Against is what a value is compared with: constants, and in order with what is none,
// as the number of a loop's iterations is.
type Against struct {
	Consts  []uint64
	Ordered bool
}

func (a Against) and(b Against) Against {
	return Against{slices.Concat(a.Consts, b.Consts), a.Ordered || b.Ordered}
}

// mostConsts is how many constants are kept of a value.
const mostConsts = 8

// Places that values come from beside *ir.Reg and *ir.Global.
type (
	resultOf struct{ f *ir.Func }
	memberOf struct {
		s *ir.Struct
		k int
	}
	typedBy  string // memory of a type that is read by an address of which no more is known
	anyTyped string // memory of a type that is read
)

// TestedOf looks at a program.
func TestedOf(p *ir.Program) *Tested {
	t := &Tested{nodes: map[any]*Against{}}
	taken := ir.AddressTaken(p)
	for t.again = true; t.again; {
		t.again = false
		for _, f := range p.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					t.instr(in, taken)
				}
				t.term(f, b.Term)
			}
		}
	}
	return t
}

// Reg tells whether a register is tested, and what it is compared with.
func (t *Tested) Reg(r *ir.Reg) (Against, bool) { return t.of(r) }

// Loaded is Reg of what a load reads, which may be read again elsewhere.
func (t *Tested) Loaded(i *ir.Load) (Against, bool) {
	a, ok := t.of(i.Dst)
	b, ok2 := t.stored(i.Addr, i.Dst.Type)
	return a.and(b), ok || ok2
}

func (t *Tested) of(key any) (Against, bool) {
	if n := t.nodes[key]; n != nil {
		return *n, true
	}
	return Against{}, false
}

// test notes that a place is tested.
func (t *Tested) test(key any, with Against) {
	n := t.nodes[key]
	if n == nil {
		n = &Against{}
		t.nodes[key], t.again = n, true
	}
	if with.Ordered && !n.Ordered {
		n.Ordered, t.again = true, true
	}
	for _, c := range with.Consts {
		if len(n.Consts) < mostConsts && !slices.Contains(n.Consts, c) {
			n.Consts, t.again = append(n.Consts, c), true
		}
	}
}

// spotOf is what an address stands for: a member, a global, or memory of the type.
func spotOf(addr ir.Expr, of ir.Type) any {
	switch a := addr.(type) {
	case ir.FieldAddr:
		return memberOf{a.S, a.Index}
	case ir.IndexAddr:
		return spotOf(a.Base, of)
	case ir.GlobalAddr:
		return a.Global
	}
	return typedBy(of.String())
}

// read notes that memory is tested.
func (t *Tested) read(addr ir.Expr, of ir.Type, with Against) {
	t.test(spotOf(addr, of), with)
	t.test(anyTyped(of.String()), with)
}

// stored tells whether what is stored at an address is tested.
func (t *Tested) stored(addr ir.Expr, of ir.Type) (Against, bool) {
	key := spotOf(addr, of)
	if _, raw := key.(typedBy); raw {
		return t.of(anyTyped(of.String()))
	}
	a, ok := t.of(key)
	b, ok2 := t.of(typedBy(of.String()))
	return a.and(b), ok || ok2
}

func (t *Tested) instr(in ir.Instr, taken []*ir.Func) {
	switch i := in.(type) {
	case *ir.Assign:
		if c, ok := t.of(i.Dst); ok {
			t.flow(i.X, c)
		}
	case *ir.Load:
		t.flow(i.Addr, Against{})
		if c, ok := t.of(i.Dst); ok {
			t.read(i.Addr, i.Dst.Type, c)
		}
	case *ir.Store:
		t.flow(i.Addr, Against{})
		if c, ok := t.stored(i.Addr, i.Val.Type()); ok {
			t.flow(i.Val, c)
		}
	case *ir.Call:
		fs := taken
		if a, ok := i.Callee.(ir.FuncAddr); ok {
			fs = []*ir.Func{a.Func}
		} else {
			t.flow(i.Callee, Against{})
		}
		for _, f := range fs {
			t.call(i, f)
		}
	case *ir.Assume:
		t.flow(i.Cond, Against{})
	case *ir.Assert:
		t.flow(i.Cond, Against{})
	case *ir.Havoc:
	default:
		for _, x := range ir.Operands(in) {
			t.flow(x, Against{})
		}
	}
}

// call connects arguments with parameters, and the result.
func (t *Tested) call(i *ir.Call, f *ir.Func) {
	for k, r := range f.Params {
		if c, ok := t.of(r); ok && k < len(i.Args) && i.Args[k] != nil {
			t.flow(i.Args[k], c)
		}
	}
	if i.Dst != nil {
		if c, ok := t.of(i.Dst); ok {
			t.test(resultOf{f}, c)
		}
	}
}

func (t *Tested) term(f *ir.Func, term ir.Term) {
	switch x := term.(type) {
	case *ir.Branch:
		t.flow(x.Cond, Against{})
	case *ir.Return:
		if c, ok := t.of(resultOf{f}); ok && x.Val != nil {
			t.flow(x.Val, c)
		}
	}
}

// flow notes that an expression is tested, and compared with constants.
func (t *Tested) flow(e ir.Expr, with Against) {
	switch x := e.(type) {
	case ir.Use:
		t.test(x.Reg, with)
	case ir.Cast:
		t.flow(x.X, with)
	case ir.Unary:
		t.flow(x.X, with)
	case ir.FieldAddr:
		t.flow(x.Base, Against{})
	case ir.IndexAddr:
		t.flow(x.Base, Against{})
		t.flow(x.Idx, Against{})
	case ir.Select:
		t.flow(x.C, Against{})
		t.flow(x.X, with)
		t.flow(x.Y, with)
	case ir.Binary:
		if near, ok := compared[x.Op]; ok {
			t.flow(x.X, around(x.Y, near))
			t.flow(x.Y, around(x.X, near))
			return
		}
		t.flow(x.X, with)
		t.flow(x.Y, with)
	}
}

// compared are the operators of comparisons; of ordering ones, the neighbours of a
// constant count, too.
var compared = map[string]bool{"eq": false, "ne": false, "lt": true, "le": true, "gt": true,
	"ge": true}

// around are the values of a constant and, near, its neighbours; none of another
// expression.
func around(e ir.Expr, near bool) Against {
	for {
		c, ok := e.(ir.Cast)
		if !ok {
			break
		}
		e = c.X
	}
	c, ok := e.(ir.Const)
	if !ok {
		return Against{Ordered: near}
	}
	v := c.Val.Uint64()
	if c.Val.Sign() < 0 {
		v = uint64(c.Val.Int64())
	}
	if near {
		return Against{Consts: []uint64{v, v - 1, v + 1}}
	}
	return Against{Consts: []uint64{v}}
}
