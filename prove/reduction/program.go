package reduction

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/prove/absint"
	"whoop/smt/bv"
	"whoop/smt/irterm"
)

// maxThreads bounds the threads of a program, main among them.
const maxThreads = 8

// program is what is known of a program's text, for all orders.
type program struct {
	ctx     context.Context
	opt     Options
	in      *absint.Inlined
	alias   *alias.Result
	threads []*thread // main is the first
	cells   map[int]*cell
	// users are the threads that access a region, writers those that write it.
	users, writers map[int]map[int]bool
	joins          map[ir.Instr]int // which thread a join waits for
	spawns         map[spawnKey]int
	allocs         map[*ir.Alloc]int // numbers
}

// A thread is one that the program starts, at most once.
type thread struct {
	id    int
	fn    *ir.Func
	heads map[*ir.Block]bool
	index map[*ir.Block]int // in reverse postorder
	live  map[*ir.Block]map[*ir.Reg]bool
	regs  map[*ir.Reg]int // numbers
}

type spawnKey struct {
	thread int
	in     *ir.Spawn
}

// A cell says how a region of memory is followed.
type cell struct {
	region *alias.Region
	kind   cellKind
	width  int
	signed bool
	first  *uint64 // what it holds at first, where that is known
}

type cellKind uint8

const (
	unknown cellKind = iota // what is read may be anything
	single                  // one place
	own                     // one place for each thread
	array                   // places that are told apart by their addresses
)

func newProgram(ctx context.Context, p *ir.Program, opt Options) (*program, []ir.Assumption, error) {
	in, as, err := absint.Inline(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	pr := &program{ctx: ctx, opt: opt, in: in, cells: map[int]*cell{}, users: map[int]map[int]bool{}, writers: map[int]map[int]bool{}, joins: map[ir.Instr]int{}, spawns: map[spawnKey]int{}, allocs: map[*ir.Alloc]int{}}
	if pr.alias, err = alias.AnalyzeContext(ctx, in.Prog, alias.Options{}); err != nil {
		return nil, nil, err
	}
	as = append(as, pr.alias.Assumptions()...)
	for _, e := range in.Prog.Entries {
		if e.Kind != "main" && !e.Spawned || e.Func == nil {
			return nil, nil, fmt.Errorf("calls of %s (%s) are not followed", e.Name, e.Kind)
		}
		if e.Kind == "main" {
			pr.addThread(e.Func)
		}
	}
	if len(pr.threads) != 1 {
		return nil, nil, fmt.Errorf("there is no main function, or more than one")
	}
	for i := 0; i < len(pr.threads); i++ {
		if err := pr.findSpawns(pr.threads[i]); err != nil {
			return nil, nil, err
		}
	}
	if !slices.ContainsFunc(pr.threads, func(t *thread) bool { return len(t.heads) > 0 }) {
		return nil, nil, fmt.Errorf("no thread has a loop")
	}
	pr.findUsers()
	if err := pr.findJoins(); err != nil {
		return nil, nil, err
	}
	pr.findCells()
	return pr, as, nil
}

func (p *program) addThread(f *ir.Func) *thread {
	t := &thread{id: len(p.threads), fn: f, heads: map[*ir.Block]bool{}, index: map[*ir.Block]int{}, live: ir.Liveness(f), regs: map[*ir.Reg]int{}}
	for i, r := range slices.Concat(f.Params, f.Regs) {
		t.regs[r] = i
	}
	rpo := ir.RPO(f)
	for i, b := range rpo {
		t.index[b] = i
	}
	for i, b := range rpo {
		for _, s := range b.Succs() {
			if t.index[s] <= i {
				t.heads[s] = true
			}
		}
	}
	p.threads = append(p.threads, t)
	return t
}

// instrs goes through a thread's instructions.
func (t *thread) instrs(visit func(b *ir.Block, in ir.Instr)) {
	for _, b := range t.fn.Blocks {
		if _, ok := t.index[b]; ok {
			for _, in := range b.Instrs {
				visit(b, in)
			}
		}
	}
}

// findSpawns finds the threads that a thread starts, and what cannot be followed.
func (p *program) findSpawns(t *thread) (err error) {
	t.instrs(func(b *ir.Block, in ir.Instr) {
		if err != nil {
			return
		}
		for _, x := range p.alias.Accesses(in) {
			if x.Unknown && x.Write {
				err = fmt.Errorf("%s: a write through a pointer that may lead anywhere", in.At())
				return
			}
		}
		switch in := in.(type) {
		case *ir.Spawn:
			fa, ok := in.Fn.(ir.FuncAddr)
			switch {
			case !ok || len(fa.Func.Blocks) == 0:
				err = fmt.Errorf("%s: a thread of a function that is not known", in.Pos)
			case t.id != 0:
				err = fmt.Errorf("%s: a thread starts another", in.Pos)
			case !p.in.Acyclic[b]:
				err = fmt.Errorf("%s: threads are started in a loop", in.Pos)
			case len(p.threads) == maxThreads:
				err = fmt.Errorf("more than %d threads", maxThreads)
			default:
				p.spawns[spawnKey{t.id, in}] = p.addThread(fa.Func).id
			}
		case *ir.Free:
			if !in.Scope {
				err = fmt.Errorf("%s: memory is freed", in.Pos)
			}
		case *ir.Lock:
			if in.Mode == ir.Shared || in.Recursive || in.Try || in.Class != "mutex" && in.Class != "spin" {
				err = fmt.Errorf("%s: a lock that is not followed", in.Pos)
			}
		case *ir.Assign, *ir.Load, *ir.Store, *ir.RMW, *ir.CmpXchg, *ir.Alloc, *ir.MemCopy, *ir.MemSet, *ir.Touch, *ir.Havoc, *ir.Assume, *ir.Assert, *ir.Unlock, *ir.LockInit,
			*ir.Join, *ir.Detach, *ir.AtomicBegin, *ir.AtomicEnd, *ir.Fence, *ir.Yield, *ir.CondSignal:
		case *ir.Call: // a function without a body
		default:
			err = fmt.Errorf("%s: %T is not followed", in.At(), in)
		}
		for _, e := range ir.Operands(in) {
			if divides(e) {
				err = cmp.Or(err, fmt.Errorf("%s: a division that may be by zero", in.At()))
			}
		}
	})
	for _, b := range t.fn.Blocks {
		for _, e := range ir.TermOperands(b.Term) {
			if divides(e) {
				err = cmp.Or(err, fmt.Errorf("%s: a division that may be by zero", b.Term.At()))
			}
		}
	}
	return err
}

// divides reports whether an expression divides by something that is not a constant other
// than 0, or shifts by what is no constant: that may be undefined.
func divides(e ir.Expr) (found bool) {
	ir.MapExpr(e, func(e ir.Expr) ir.Expr {
		if x, ok := e.(ir.Binary); ok && slices.Contains([]string{"div", "rem", "shl", "shr"}, x.Op) {
			c, ok := x.Y.(ir.Const)
			found = found || !ok || c.Val.Sign() <= 0
		}
		return e
	})
	return found
}

func (p *program) findUsers() {
	for _, t := range p.threads {
		t.instrs(func(_ *ir.Block, in ir.Instr) {
			if a, ok := in.(*ir.Alloc); ok {
				if _, ok := p.allocs[a]; !ok {
					p.allocs[a] = len(p.allocs)
				}
			}
			for _, x := range p.alias.Accesses(in) {
				for _, r := range x.Regions {
					if p.users[r.ID] == nil {
						p.users[r.ID], p.writers[r.ID] = map[int]bool{}, map[int]bool{}
					}
					p.users[r.ID][t.id] = true
					if x.Write {
						p.writers[r.ID][t.id] = true
					}
				}
			}
		})
	}
}

// findJoins finds which thread each join waits for: that whose handle is stored in the
// place that the join reads, where nothing else is.
func (p *program) findJoins() (err error) {
	stored := map[int][]ir.Instr{} // by region
	starts := map[ir.Instr][]int{}
	for _, t := range p.threads {
		t.instrs(func(_ *ir.Block, in ir.Instr) {
			for _, x := range p.alias.Accesses(in) {
				for _, r := range x.Regions {
					if x.Write && !slices.Contains(stored[r.ID], in) {
						stored[r.ID] = append(stored[r.ID], in)
					}
				}
			}
			if s, ok := in.(*ir.Spawn); ok {
				starts[s] = append(starts[s], p.spawns[spawnKey{t.id, s}])
			}
		})
	}
	for _, t := range p.threads {
		t.instrs(func(_ *ir.Block, in ir.Instr) {
			j, ok := in.(*ir.Join)
			if !ok {
				return
			}
			switch d := definedBy(t.fn, j.Handle).(type) {
			case *ir.Spawn:
				if len(starts[d]) == 1 {
					p.joins[in] = starts[d][0]
					return
				}
			case *ir.Load:
				xs := p.alias.Accesses(d)
				if len(xs) == 1 && !xs[0].Unknown && len(xs[0].Regions) == 1 && xs[0].Regions[0].Elem == 0 {
					r := xs[0].Regions[0]
					if w := stored[r.ID]; len(w) == 1 && len(r.Objects) == 1 && len(starts[w[0]]) == 1 {
						p.joins[in] = starts[w[0]][0]
						return
					}
				}
			}
			err = cmp.Or(err, fmt.Errorf("%s: it is not known which thread is waited for", in.At()))
		})
	}
	return err
}

// definedBy is the instruction that yields an expression's value, but for assignments;
// nil where it is not one alone.
func definedBy(f *ir.Func, e ir.Expr) ir.Instr {
	for range 10 {
		switch x := e.(type) {
		case ir.Cast:
			e = x.X
			continue
		case ir.Use:
			switch d := ir.Definition(f, x.Reg).(type) {
			case *ir.Assign:
				e = d.X
				continue
			default:
				return d
			}
		}
		break
	}
	return nil
}

// findCells says how each region is followed.
func (p *program) findCells() {
	types, blocked, mixed := map[int]ir.Type{}, map[int]bool{}, map[int]bool{}
	for _, t := range p.threads {
		t.instrs(func(_ *ir.Block, in ir.Instr) {
			typ := ir.CellType(in)
			for _, x := range p.alias.Accesses(in) {
				for _, r := range x.Regions {
					if touch, ok := in.(*ir.Touch); ok && x.Write && !touch.Borrow || x.Unseen && x.Write {
						blocked[r.ID] = true
					}
					w, num := 0, false
					if typ != nil {
						w, num = irterm.Width(typ)
					}
					if !num || w == 0 || typ.Size() != r.Size || !r.Exact {
						if _, lock := in.(*ir.Lock); typ != nil || x.Write && !lock {
							mixed[r.ID] = true
						}
						continue
					}
					if was, ok := types[r.ID]; !ok {
						types[r.ID] = typ
					} else if v, _ := irterm.Width(was); v != w {
						blocked[r.ID] = true
					}
				}
			}
		})
	}
	for _, r := range p.alias.Regions() {
		p.cells[r.ID] = p.makeCell(r, types[r.ID], blocked[r.ID], mixed[r.ID])
	}
}

func (p *program) makeCell(r *alias.Region, typ ir.Type, blocked, mixed bool) *cell {
	c := &cell{region: r}
	if typ == nil || blocked || !r.Exact || r.Size <= 0 || len(r.Objects) == 0 {
		return c
	}
	for _, o := range r.Objects {
		if o.Kind == alias.KindExtern || o.Kind == alias.KindFunc || o.Global != nil && (o.Global.Extern || o.Global.ThreadLocal) {
			return c
		}
	}
	c.width, _ = irterm.Width(typ)
	i, _ := irterm.Int(typ)
	c.signed = i.Signed
	o := r.Objects[0]
	switch {
	case len(r.Objects) == 1 && r.Elem == 0 && o.Single && o.Global != nil:
		c.kind = single
		c.first = p.initial(o.Global, r)
	case len(r.Objects) == 1 && r.Elem == 0 && o.Kind == alias.KindStack && o.Alloc != nil && p.in.Once[o.Alloc] && isOne(o.Alloc.Count):
		c.kind = own
		if r.Shared && len(p.users[r.ID]) > 1 {
			if !o.Single {
				c.kind = unknown
				break
			}
			c.kind = single
		}
	case !mixed:
		c.kind = array
	}
	return c
}

func isOne(e ir.Expr) bool {
	c, ok := e.(ir.Const)
	return ok && c.Val.IsInt64() && c.Val.Int64() == 1
}

// initial is what a global's place holds at first, where it is a number.
func (p *program) initial(g *ir.Global, r *alias.Region) *uint64 {
	var v uint64
	for _, i := range g.Init {
		if i.Offset+max(i.Type.Size(), 1) <= r.Offset || i.Offset >= r.Offset+r.Size {
			continue
		}
		c, ok := i.Value.(ir.Const)
		if !ok || i.Offset != r.Offset || i.Type.Size() != r.Size {
			return nil
		}
		v = irterm.Low(c.Val)
	}
	return &v
}

// lockOf is the region of the lock that an instruction means.
func (p *program) lockOf(in ir.Instr) (int, bool) {
	rs, unknown := p.alias.Target(in)
	if unknown || len(rs) != 1 || len(rs[0].Objects) != 1 || !rs[0].Objects[0].Single || rs[0].Elem != 0 {
		return 0, false
	}
	return rs[0].ID, true
}

// visible reports whether other threads may notice when an instruction of a thread is
// executed.
func (p *program) visible(t *thread, in ir.Instr) bool {
	switch in.(type) {
	case *ir.Lock, *ir.Unlock, *ir.AtomicBegin, *ir.Spawn, *ir.Join:
		return true
	}
	safe := p.opt.Safe != nil && p.opt.Safe(p.in.Orig[in])
	for _, x := range p.alias.Accesses(in) {
		if safe && !x.Order.Atomic() {
			continue
		}
		for _, r := range x.Regions {
			if p.cells[r.ID].kind != own && len(p.users[r.ID]) > 1 && len(p.writers[r.ID]) > 0 {
				return true
			}
		}
	}
	return false
}

// A slot is a variable of the product: a register or place of a thread, a place that all
// share, or something about a lock or an allocation.
type slot struct {
	kind   slotKind
	thread int // 0 where it is shared
	reg    *ir.Reg
	alloc  *ir.Alloc
	id     int // of the region, or the number of the register or allocation
	width  int // 0: Boolean
	narrow int // of a wide slot: the width of what it is derived from
	signed bool
}

// derived: the slot says something of a place that is one itself.
func (s slot) derived() bool { return s.kind == partSlot || s.kind == wideSlot }

// widened is a slot for the same number with more bits.
func (s slot) widened(width int) slot {
	s.kind, s.narrow, s.width = wideSlot, s.width, width
	return s
}

// whole is the slot that a slot is, or is derived from.
func (s slot) whole() slot {
	switch s.kind {
	case partSlot:
		s.kind = cellSlot
	case wideSlot:
		if s.kind = cellSlot; s.reg != nil {
			s.kind = regSlot
		}
		s.width, s.narrow = s.narrow, 0
	}
	return s
}

type slotKind uint8

const (
	regSlot slotKind = iota
	cellSlot
	takenSlot // whether a lock is taken
	heldSlot  // whether a thread holds it
	baseSlot  // where an allocated object is
	sizeSlot  // how many bytes it has
	partSlot  // a place's number, or 0 where it is negative
	wideSlot  // a place's or register's number with more bits
)

func (s slot) name() string {
	switch s.kind {
	case regSlot:
		return fmt.Sprintf("r%d.%d.%s", s.thread, s.id, s.reg.Name)
	}
	return fmt.Sprintf("%c%d.%d", "rcthbspw"[s.kind], s.thread, s.id)
}

// named is the name of the register that a slot is of.
func (s slot) named() string {
	if s.reg == nil {
		return ""
	}
	return s.reg.Name
}

// compareSlots orders them, the same each time.
func compareSlots(x, y slot) int {
	return cmp.Or(cmp.Compare(x.kind, y.kind), cmp.Compare(x.thread, y.thread), cmp.Compare(x.id, y.id), cmp.Compare(x.width, y.width), cmp.Compare(x.narrow, y.narrow), strings.Compare(x.named(), y.named()))
}

// inOrder are the slots of a map, in their order: terms are made in the same order each
// time.
func inOrder[V any](m map[slot]V) []slot { return slices.SortedFunc(maps.Keys(m), compareSlots) }

// cellSlotOf is the slot of a place, for a thread.
func (p *program) cellSlotOf(t int, c *cell) slot {
	s := slot{kind: cellSlot, id: c.region.ID, width: c.width, signed: c.signed}
	if c.kind == own {
		s.thread = t + 1 // main's own, too, are nobody else's
	}
	return s
}

// v is the slot's variable.
func (s slot) v(b *bv.Builder) *bv.Term { return b.Var(s.name(), s.width) }
