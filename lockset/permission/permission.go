package permission

import "whoop/ir"

// Share is how much of a resource a thread has. Shares of one resource add up to at most
// one: who has Full of it has it alone.
type Share int

const (
	// None is no share.
	None Share = iota
	// Some is any positive part. It can be split without end.
	Some
	// Full is all of it.
	Full
)

// Kind is the direction in which a share moves.
type Kind int

const (
	// Inhale moves a share to the thread. That it lies where it comes from is what the
	// theory argues, once.
	Inhale Kind = iota
	// Exhale takes all that the thread has of the resource.
	Exhale
	// Owe moves nothing: only the obligation of the transfer counts.
	Owe
)

// Transfer is what an instruction does to a thread's share of a resource.
type Transfer struct {
	Kind  Kind
	Share Share
	// If is the condition, on the value of the resource's frame, under which it happens.
	// It is nil where it always does.
	If ir.Expr
	// Owed makes it an obligation that the thread has the share, where If holds.
	Owed bool
	// Or is another condition that meets the obligation; nil where there is none.
	Or ir.Expr
	// All is set for exhales of all acquisitions of a resource that counts them.
	All bool
	// Number is what the ledger's number becomes; nil: it stays.
	Number ir.Expr
}

// Gets is a transfer by which the thread gets a share, under a condition (nil: always).
func Gets(s Share, cond ir.Expr) Transfer { return Transfer{Kind: Inhale, Share: s, If: cond} }

// Owes is a transfer by which the thread gives away a share that it must have, under a
// condition.
func Owes(s Share, cond ir.Expr) Transfer {
	return Transfer{Kind: Exhale, Share: s, If: cond, Owed: true}
}

// Loses is a transfer by which the thread has nothing any more.
func Loses() Transfer { return Transfer{Kind: Exhale, Share: Full} }

// Ledger says what a thread has of a resource, in ghost registers.
type Ledger struct {
	// Held[0] says that the thread has Full, Held[1] that it has Some. Full is Some, too.
	Held [2]*ir.Reg
	// Depth counts acquisitions less releases, for resources that their holder may take
	// again; nil for others.
	Depth *ir.Reg
	// Whole is set for resources of which nobody ever has a part.
	Whole bool
	// Units are set for resources whose parts are counted: Units[i] says that the thread
	// has more than i of them. What is beyond the last one is forgotten. Some then stands
	// for one unit in transfers, and Full for all of the resource, with no unit.
	Units []*ir.Reg
	// Number is what the theory counts besides, and Start its value at the start; nil
	// for most.
	Number *ir.Reg
	Start  ir.Expr
}

// mode is the index of a share in Ledger.Held.
func (s Share) mode() int {
	if s == Full {
		return 0
	}
	return 1
}

// Has is the condition that the thread has a share.
func (h *Ledger) Has(s Share) ir.Expr {
	if s == Some && len(h.Units) > 0 {
		return ir.Use{Reg: h.Units[0]}
	}
	return ir.Use{Reg: h.Held[s.mode()]}
}

// Registers are all ghost registers of the resource.
func (h *Ledger) Registers() []*ir.Reg {
	out := append([]*ir.Reg{h.Held[0], h.Held[1]}, h.Units...)
	for _, r := range []*ir.Reg{h.Depth, h.Number} {
		if r != nil {
			out = append(out, r)
		}
	}
	return out
}

// Apply is the ghost code of a transfer.
func (h *Ledger) Apply(t Transfer, at ir.Pos) []ir.Instr {
	var out []ir.Instr
	set := func(r *ir.Reg, v ir.Expr) {
		out = append(out, &ir.Assign{Base: ir.Base{Pos: at}, Dst: r, X: v})
	}
	switch {
	case t.Kind == Owe:
	case len(h.Units) > 0 && t.Share == Some:
		h.unit(t, set)
	case t.Kind == Inhale:
		for mode, r := range h.Held {
			switch {
			case t.Share == Some && mode == 0:
			case h.Whole && mode == 1:
				set(r, ir.Use{Reg: h.Held[0]})
			case t.If == nil:
				set(r, ir.BoolConst(true))
			default:
				set(r, ir.Binary{Op: "lor", X: ir.Use{Reg: r}, Y: t.If})
			}
		}
		if h.Depth != nil && t.If != nil {
			set(h.Depth, h.deeper(t.If))
		}
	default:
		h.exhale(t, set)
	}
	if t.Number != nil {
		set(h.Number, t.Number)
	}
	return out
}

// unit is the ghost code of a transfer of one unit.
func (h *Ledger) unit(t Transfer, set func(*ir.Reg, ir.Expr)) {
	cond := t.If
	if cond == nil {
		cond = ir.BoolConst(true)
	}
	n := len(h.Units)
	if t.Kind == Inhale {
		for i := n - 1; i > 0; i-- {
			more := ir.Binary{Op: "land", X: cond, Y: ir.Use{Reg: h.Units[i-1]}}
			set(h.Units[i], ir.Binary{Op: "lor", X: ir.Use{Reg: h.Units[i]}, Y: more})
		}
		for _, r := range []*ir.Reg{h.Units[0], h.Held[1]} {
			set(r, ir.Binary{Op: "lor", X: ir.Use{Reg: r}, Y: cond})
		}
		return
	}
	for i, r := range h.Units {
		next := ir.Expr(ir.BoolConst(false))
		if i+1 < n {
			next = ir.Use{Reg: h.Units[i+1]}
		}
		set(r, ir.Select{C: cond, X: next, Y: ir.Use{Reg: r}})
	}
	set(h.Held[0], ir.Binary{Op: "land", X: ir.Use{Reg: h.Held[0]}, Y: ir.Unary{Op: "lnot", X: cond}})
	set(h.Held[1], ir.Select{C: cond, X: ir.Use{Reg: h.Units[0]}, Y: ir.Use{Reg: h.Held[1]}})
}

// exhale is the ghost code by which the thread gives all away. Of a resource that counts,
// only the last release does.
func (h *Ledger) exhale(t Transfer, set func(*ir.Reg, ir.Expr)) {
	gone := t.If
	if h.Depth != nil && gone != nil {
		if t.All {
			set(h.Depth, ir.Select{C: gone, X: depth(0), Y: ir.Use{Reg: h.Depth}})
		} else {
			set(h.Depth, h.shallower(gone))
			gone = ir.Binary{Op: "land", X: gone, Y: ir.Unary{Op: "lnot", X: h.Deep(1)}}
		}
	}
	for mode, r := range append(h.Held[:], h.Units...) {
		switch {
		case gone == nil:
			set(r, ir.BoolConst(false))
		case h.Whole && mode == 1:
			set(r, ir.Use{Reg: h.Held[0]})
		default:
			set(r, ir.Binary{Op: "land", X: ir.Use{Reg: r}, Y: ir.Unary{Op: "lnot", X: gone}})
		}
	}
}

// Obligation is what a transfer owes; nil where that is nothing. A thread that is not
// tracked never has a share.
func (h *Ledger) Obligation(t Transfer, tracked bool) ir.Expr {
	if !t.Owed {
		return nil
	}
	has := ir.Expr(ir.BoolConst(false))
	if tracked {
		has = h.Has(t.Share)
	}
	if t.Or != nil {
		has = ir.Binary{Op: "lor", X: t.Or, Y: has}
	}
	if t.If == nil {
		return has
	}
	return ir.Binary{Op: "lor", X: ir.Unary{Op: "lnot", X: t.If}, Y: has}
}

// maxDepth is where counting stops. Below it nothing wraps; a depth that is too small is
// on the safe side.
const maxDepth = 1000

func depth(n int64) ir.Expr { return ir.IntConst(ir.I64, n) }

// Deep is the condition that the resource was taken at least n times more than it was
// given back.
func (h *Ledger) Deep(n int64) ir.Expr {
	return ir.Binary{Op: "ge", X: ir.Use{Reg: h.Depth}, Y: depth(n)}
}

// deeper is the depth after an acquisition under a condition.
func (h *Ledger) deeper(cond ir.Expr) ir.Expr {
	d := ir.Use{Reg: h.Depth}
	more := ir.Binary{Op: "add", X: d, Y: depth(1)}
	return ir.Select{C: cond, X: ir.Select{C: h.Deep(maxDepth), X: d, Y: more}, Y: d}
}

// shallower is the depth after a release under a condition.
func (h *Ledger) shallower(cond ir.Expr) ir.Expr {
	d := ir.Use{Reg: h.Depth}
	less := ir.Binary{Op: "sub", X: d, Y: depth(1)}
	return ir.Select{C: cond, X: ir.Select{C: h.Deep(1), X: less, Y: depth(0)}, Y: d}
}
