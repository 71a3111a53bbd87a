package lockset

import (
	"fmt"

	"whoop/analysis/alias"
	"whoop/ir"
	"whoop/seqz"
	"whoop/smt/vcgen"
)

// What holds of locks where procedures are called that are not inlined. Locks with an
// address of their own are held or not; of the locks and tokens that belong to the
// watched object, a procedure can be told something about the objects that its parameters
// point to: "if the parameter points to the watched object, its lock is held". And a
// procedure that takes and gives back a lock keeps it, for whoever held it before; one
// that may fail holds the lock where it returns a certain value. All of these are
// candidates.

// relation is such a candidate for one parameter of a procedure.
type relation struct {
	fn    *guard
	param int
	off   int64 // from the watched base to what the parameter points to
	// holder: the parameter points into a holder of the watched object (holder.go), and
	// its base is this constant; nil: into the watched object itself. owner: this holder
	// owns what the parameter points to.
	holder *ir.Reg
	owner  bool
}

// relations lists, for a procedure, the parameters that may point to watched objects, or
// to members of them.
func (x *instrumenter) relations(p *seqz.Proc, res *resolver) []relation {
	var out []relation
	for i, r := range p.Body.Params {
		t, ok := r.Type.(ir.Ptr)
		if !ok || len(res.defs[r]) > 0 {
			continue
		}
		s, ok := t.Elem.(*ir.Struct)
		for _, fn := range x.active {
			if !x.somewhere(fn) || isLock(fn) && fn.cell() != nil {
				continue
			}
			if fn.frame.extent != nil {
				out = append(out, x.l.holderRelations(fn, i, t.Elem)...)
			} else if ok {
				for _, off := range x.l.offsets(fn.frame, s) {
					out = append(out, relation{fn: fn, param: i, off: off})
				}
			}
		}
	}
	return out
}

// returned lists the tokens of the objects, made by a procedure, that its result may
// point to.
func (x *instrumenter) returned(p *seqz.Proc) []relation {
	t, ok := p.Source.Result.(ir.Ptr)
	if !ok {
		return nil
	}
	s, ok := t.Elem.(*ir.Struct)
	if !ok {
		return nil
	}
	var out []relation
	for _, fn := range x.active {
		if _, ok := theoryOf[*own](fn); !ok || !x.somewhere(fn) {
			continue
		}
		for _, off := range x.l.offsets(fn.frame, s) {
			out = append(out, relation{fn: fn, param: -1, off: off})
		}
	}
	return out
}

// offsets are where structs of type s lie in the objects of a frame: at most two.
func (l *locks) offsets(fr *frame, s *ir.Struct) []int64 {
	k := offsetsKey{fr, s}
	l.withinMu.Lock() // entry points are summarised at the same time
	defer l.withinMu.Unlock()
	if out, ok := l.within[k]; ok {
		return out
	}
	var out []int64
	seen := map[int64]bool{}
	for _, t := range l.frameTypes(fr) {
		for _, off := range placesOf(s, t, 0, 0) {
			if !seen[off] && len(out) < 2 {
				seen[off] = true
				out = append(out, off)
			}
		}
	}
	l.within[k] = out
	return out
}

type offsetsKey struct {
	fr *frame
	s  *ir.Struct
}

// typesOfFrames finds the types of the objects that frames stand for.
func (l *locks) typesOfFrames() {
	l.within, l.types = map[offsetsKey][]int64{}, map[string][]ir.Type{}
	add := func(key string, t ir.Type) {
		for _, u := range l.types[key] {
			if u == t || ir.Equal(u, t) {
				return
			}
		}
		l.types[key] = append(l.types[key], t)
	}
	for _, r := range l.f.watchedRegions() {
		if !r.Exact || r.Elem != 0 && r.ArrayStart != 0 {
			continue
		}
		for _, o := range r.Objects {
			if t := elementOf(o, r); t != nil {
				add(fmt.Sprintf("x:%d", r.Group), t)
			}
		}
	}
	for s := range l.typed {
		add("t:"+s.Name, s)
	}
}

// elementOf is the struct that a region's base address is the start of, or nil.
func elementOf(o *alias.Object, r *alias.Region) ir.Type {
	t := o.Type
	if a, ok := t.(ir.Array); ok && r.Elem != 0 {
		t = a.Elem
	}
	s, ok := t.(*ir.Struct)
	if !ok || s.Union {
		return nil
	}
	return s
}

func (l *locks) frameTypes(fr *frame) []ir.Type { return l.types[fr.key] }

// placesOf lists the offsets of structs of type s in a value of type t.
func placesOf(s *ir.Struct, t ir.Type, base int64, depth int) []int64 {
	u, ok := t.(*ir.Struct)
	if !ok || u.Union || depth > 3 {
		return nil
	}
	if u == s || u.Name == s.Name {
		return []int64{base}
	}
	var out []int64
	for _, f := range u.Fields {
		out = append(out, placesOf(s, f.Type, base+f.Offset, depth+1)...)
	}
	return out
}

// cond says that a lock is held if the watched object is the one that a pointer is of;
// owner is the address of the owner of what it points to, nil where that is not known.
func (r relation) cond(ptr, owner ir.Expr, mode int) ir.Expr {
	if r.owner && owner == nil {
		return ir.Use{Reg: r.fn.Held[mode]}
	}
	if r.owner {
		ptr = owner
	}
	base := offsetFrom(asPtr(ptr), -r.off)
	is := r.fn.frame.isBase(base)
	if r.holder != nil {
		is = ir.Binary{Op: "eq", X: base, Y: ir.Use{Reg: r.holder}}
	}
	return ir.Binary{Op: "lor", X: ir.Unary{Op: "lnot", X: is}, Y: ir.Use{Reg: r.fn.Held[mode]}}
}

// related is a relation in one mode, as a candidate.
type related struct {
	relation
	id, mode int
}

// relate makes the candidates about the parameters of a procedure, of what may be held
// where it starts.
func (x *instrumenter) relate(p *seqz.Proc) []related {
	var out []related
	for _, r := range x.may.relations[p] {
		for mode := range r.fn.Held {
			if x.may.has(x.may.entry[p], r.fn, mode) && !(mode == 1 && r.fn.Whole) {
				out = append(out, related{r, x.guess(r.fn), mode})
			}
		}
	}
	return out
}

// keeps makes the candidates that a procedure keeps the locks that it may take and give
// back.
func (x *instrumenter) keeps(p *seqz.Proc) []vcgen.Keep {
	var out []vcgen.Keep
	for _, fn := range x.may.changed(p) {
		for mode, h := range fn.Held {
			if fn.Depth == nil && x.may.has(x.may.entry[p], fn, mode) {
				out = append(out, vcgen.Keep{ID: x.guess(fn), Reg: h})
			}
		}
	}
	return out
}

// loopKeep makes the candidate that a loop keeps a lock, where one may be held when it is
// entered.
func (x *instrumenter) loopKeep(head *ir.Block, r *ir.Reg) (vcgen.Keep, bool) {
	g, ok := x.ghosts[r]
	if !ok || x.unasked[g.fn] || !x.may.has(x.may.at[head], g.fn, g.mode) {
		return vcgen.Keep{}, false
	}
	return vcgen.Keep{ID: x.guess(g.fn), Reg: r}, true
}

// outcome is the candidate that a lock is held where a procedure returns zero, or
// something else.
type outcome struct {
	id   int
	zero bool
	held *ir.Reg
}

// outcomes makes these candidates for the locks with fixed addresses.
func (x *instrumenter) outcomes(p *seqz.Proc) []outcome {
	switch p.Source.Result.(type) {
	case ir.Int, ir.Ptr:
	default:
		return nil
	}
	var out []outcome
	for _, fn := range x.may.changed(p) {
		if x.somewhere(fn) || fn.Depth != nil || !isLock(fn) && !isGate(fn) {
			continue
		}
		for mode, h := range fn.Held {
			if x.may.has(x.may.entry[p], fn, mode) || x.may.has(x.may.exit[p], fn, mode) {
				out = append(out, outcome{x.guess(fn), true, h}, outcome{x.guess(fn), false, h})
			}
		}
	}
	return out
}

// cond is the candidate about a result.
func (o outcome) cond(result ir.Expr) ir.Expr {
	var zero ir.Expr = ir.Null{T: ir.VPtr}
	if t, ok := result.Type().(ir.Int); ok {
		zero = ir.IntConst(t, 0)
	} else {
		result = asPtr(result)
	}
	op := "ne"
	if !o.zero {
		op = "eq"
	}
	return ir.Binary{Op: "lor", X: ir.Binary{Op: op, X: result, Y: zero}, Y: ir.Use{Reg: o.held}}
}

// contract is what is guessed about a procedure that is called.
type contract struct {
	related       []related
	returned      []related
	keeps         []vcgen.Keep
	outcomes      []outcome
	before, after []over
	zeros         []isZero
	zeroResults   []isZero
	result        *ir.Reg
	writes        vcgen.Classes
	// args are the constants that calls pass, by parameter, where that does not vary.
	args     []ir.Expr
	varies   []bool
	assigned map[*ir.Reg]bool
}

// contracts makes the guesses for all procedures but the roots.
func (x *instrumenter) contracts(res map[*seqz.Proc]*resolver) {
	x.contract = map[*seqz.Proc]*contract{}
	for _, p := range x.seq.Procs {
		c := &contract{assigned: map[*ir.Reg]bool{}}
		x.contract[p] = c
		for _, b := range p.Body.Blocks {
			for _, in := range b.Instrs {
				for _, r := range ir.Defs(in) {
					c.assigned[r] = true
				}
				for _, id := range x.f.writeIDs[x.seq.Origin[in].Instr] {
					c.writes.Add(id)
				}
				for _, id := range x.f.latches.breaks[x.seq.Origin[in].Instr] {
					c.writes.Add(id)
				}
			}
		}
		if x.isRoot(p) {
			continue
		}
		c.related, c.keeps, c.outcomes = x.relate(p), x.keeps(p), x.outcomes(p)
		c.before, c.after = x.overs(p, true), x.overs(p, false)
		c.zeros, c.zeroResults = x.zeroParams(p), x.zeroResult(p)
		for _, r := range x.may.returned[p] {
			if x.may.has(x.may.exit[p], r.fn, 0) {
				c.returned = append(c.returned, related{r, x.guess(r.fn), 0})
			}
		}
		if len(c.outcomes)+len(c.returned)+len(c.zeroResults) > 0 {
			c.result = &ir.Reg{Name: "$result", Type: p.Source.Result, Ghost: true}
		}
	}
	for _, p := range x.seq.Procs {
		for _, b := range p.Body.Blocks {
			for i, in := range b.Instrs {
				if call, ok := in.(*ir.Call); ok && p.Calls[call] != nil {
					x.contract[p.Calls[call]].passed(call, p.Calls[call], p, func(e ir.Expr) ir.Expr { return res[p].expand(e, b, i) })
				}
			}
		}
	}
	x.calledWrites()
}

// calledWrites adds what procedures write that a procedure calls.
func (x *instrumenter) calledWrites() {
	for again := true; again; {
		again = false
		// those that are called come after their callers, mostly
		for i := len(x.seq.Procs) - 1; i >= 0; i-- {
			p := x.seq.Procs[i]
			for _, q := range p.Calls {
				again = x.contract[p].writes.Merge(x.contract[q].writes) || again
			}
		}
	}
}

// passed notes the constants that a call in p passes to q, or its own parameters that p
// passes on to itself; expand looks through registers there.
func (c *contract) passed(call *ir.Call, q, p *seqz.Proc, expand func(ir.Expr) ir.Expr) {
	if c.args == nil {
		c.args, c.varies = make([]ir.Expr, len(q.Body.Params)), make([]bool, len(q.Body.Params))
	}
	for i, param := range q.Body.Params {
		if i >= len(call.Args) {
			c.varies[i] = true
			continue
		}
		arg := expand(call.Args[i])
		if u, ok := arg.(ir.Use); ok && p == q && u.Reg == param && !c.assigned[param] {
			continue
		}
		v, ok := arg.(ir.Const)
		old, known := c.args[i].(ir.Const)
		if !ok || !ir.Equal(v.T, param.Type) || known && v.Val.Cmp(old.Val) != 0 {
			c.varies[i] = true
		}
		c.args[i] = arg
	}
}

// inside adds what is guessed of a procedure to the conditions of its own body.
func (c *contract) inside(x *instrumenter, p *seqz.Proc, o *vcgen.Options) {
	for _, r := range c.related {
		o.Pre = append(o.Pre[:len(o.Pre):len(o.Pre)], vcgen.Candidate{ID: r.id, Cond: r.cond(ir.Use{Reg: p.Body.Params[r.param]}, x.paramOwner(p, r.param), r.mode)})
	}
	for i, e := range c.args {
		if e != nil && !c.varies[i] {
			o.Init[p.Body.Params[i]] = e
		}
	}
	for _, z := range c.zeros {
		o.Pre = append(o.Pre[:len(o.Pre):len(o.Pre)], z.candidate(ir.Use{Reg: p.Body.Params[z.param]}))
	}
	for _, z := range c.zeroResults {
		o.Post = append(o.Post[:len(o.Post):len(o.Post)], z.candidate(ir.Use{Reg: c.result}))
	}
	for _, v := range c.before {
		o.Pre = append(o.Pre[:len(o.Pre):len(o.Pre)], v.candidate(ir.Use{Reg: p.Body.Params[v.param]}))
	}
	for _, v := range c.after {
		o.Post = append(o.Post[:len(o.Post):len(o.Post)], v.candidate(ir.Use{Reg: p.Body.Params[v.param]}))
	}
	o.Keeps, o.Result = c.keeps, c.result
	for _, r := range c.returned {
		o.Post = append(o.Post[:len(o.Post):len(o.Post)], vcgen.Candidate{ID: r.id, Cond: r.cond(ir.Use{Reg: c.result}, nil, 0)})
	}
	for _, u := range c.outcomes {
		o.Post = append(o.Post[:len(o.Post):len(o.Post)], vcgen.Candidate{ID: u.id, Cond: u.cond(ir.Use{Reg: c.result})})
	}
}

// at adds it to the summary for a call; owners are those of what the arguments point to,
// as far as they are known.
func (c *contract) at(call *ir.Call, owners map[int]ir.Expr, s *vcgen.Summary) {
	for _, r := range c.related {
		if r.param < len(call.Args) && ir.IsPtr(call.Args[r.param].Type()) {
			s.Pre = append(s.Pre[:len(s.Pre):len(s.Pre)], vcgen.Candidate{ID: r.id, Cond: r.cond(call.Args[r.param], owners[r.param], r.mode)})
		} else {
			s.Pre = append(s.Pre[:len(s.Pre):len(s.Pre)], vcgen.Candidate{ID: r.id, Cond: ir.BoolConst(false)})
		}
	}
	s.Keeps, s.Writes = c.keeps, c.writes
	for _, z := range c.zeros {
		s.Pre = append(s.Pre[:len(s.Pre):len(s.Pre)], z.at(call))
	}
	for _, z := range c.zeroResults {
		if call.Dst != nil && ir.Equal(call.Dst.Type, c.result.Type) {
			s.Post = append(s.Post[:len(s.Post):len(s.Post)], z.candidate(ir.Use{Reg: call.Dst}))
		}
	}
	for _, v := range c.before {
		s.Pre = append(s.Pre[:len(s.Pre):len(s.Pre)], v.at(call))
	}
	for _, v := range c.after {
		if v.param < len(call.Args) && ir.IsPtr(call.Args[v.param].Type()) {
			s.Post = append(s.Post[:len(s.Post):len(s.Post)], v.at(call))
		}
	}
	for _, r := range c.returned {
		if call.Dst != nil && ir.Equal(call.Dst.Type, c.result.Type) {
			s.Post = append(s.Post[:len(s.Post):len(s.Post)], vcgen.Candidate{ID: r.id, Cond: r.cond(ir.Use{Reg: call.Dst}, nil, 0)})
		}
	}
	for _, u := range c.outcomes {
		if call.Dst != nil && ir.Equal(call.Dst.Type, c.result.Type) {
			s.Post = append(s.Post[:len(s.Post):len(s.Post)], vcgen.Candidate{ID: u.id, Cond: u.cond(ir.Use{Reg: call.Dst})})
		}
	}
}
