package lockuse

import (
	"fmt"
	"go/token"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"whoop/analysis/dataflow"
	"whoop/diag"
	"whoop/frontend/golang/program"
)

// waits are the library functions that wait for other goroutines.
var waits = map[string]string{"(*sync.WaitGroup).Wait": "WaitGroup.Wait", "(*golang.org/x/sync/errgroup.Group).Wait": "errgroup.Group.Wait"}

// operation is something that may block: what, and where.
type operation struct {
	what string
	at   token.Pos
}

// blockers looks for locks held at blocking operations, over all functions of the
// packages.
type blockers struct {
	src *program.Source
	// funcs are the functions with bodies, wrappers included.
	funcs []*ssa.Function
	// unbalanced are the functions that may give back a lock that they did not take: what
	// is held after a call of one is not known.
	unbalanced map[*ssa.Function]bool
	// blocks is the first operation at which a function may block, in itself or what it
	// calls.
	blocks map[*ssa.Function]operation
	out    []diag.Finding
	seen   map[string]bool
	given  map[*ssa.Package]bool
}

func blocking(src *program.Source) []diag.Finding {
	b := &blockers{src: src, unbalanced: map[*ssa.Function]bool{}, blocks: map[*ssa.Function]operation{}, seen: map[string]bool{}, given: map[*ssa.Package]bool{}}
	for _, p := range src.Packages {
		b.given[p.SSA] = p.Given
	}
	for f := range ssautil.AllFunctions(src.Prog) {
		if len(f.Blocks) > 0 {
			b.funcs = append(b.funcs, f)
		}
	}
	sort.Slice(b.funcs, func(i, j int) bool {
		x, y := b.funcs[i], b.funcs[j]
		if x.Pos() != y.Pos() {
			return x.Pos() < y.Pos()
		}
		return x.String() < y.String()
	})
	for b.moreUnbalanced() {
	}
	for b.moreBlocks() {
	}
	m := &misuse{blockers: b, x: explorer{orders: map[*ssa.Function]bool{}}}
	for _, f := range b.funcs {
		if p := packageOf(f); p != nil && b.given[p] && f.Syntax() != nil {
			b.walk(f, b.check)
			m.function(f)
		}
	}
	m.methodCloses()
	nils(b)
	return b.out
}

func packageOf(f *ssa.Function) *ssa.Package {
	if f.Pkg == nil && f.Origin() != nil {
		return f.Origin().Pkg
	}
	return f.Pkg
}

// moreUnbalanced adds to the unbalanced functions, and reports whether it did.
func (b *blockers) moreUnbalanced() bool {
	changed := false
	for _, f := range b.funcs {
		if b.unbalanced[f] {
			continue
		}
		b.walk(f, func(in ssa.Instruction, s state) {
			if cc := callOf(in); cc != nil && b.givesBack(cc, s) {
				b.unbalanced[f], changed = true, true
			}
		})
	}
	return changed
}

// moreBlocks adds to the functions that may block, and reports whether it did.
func (b *blockers) moreBlocks() bool {
	changed := false
	for _, f := range b.funcs {
		if _, known := b.blocks[f]; known {
			continue
		}
		if op, ok := b.firstBlock(f); ok {
			b.blocks[f], changed = op, true
		}
	}
	return changed
}

// callOf is the call of an instruction that runs in this goroutine, now or deferred.
func callOf(in ssa.Instruction) *ssa.CallCommon {
	switch in := in.(type) {
	case *ssa.Call:
		return &in.Call
	case *ssa.Defer:
		return &in.Call
	}
	return nil
}

// givesBack reports whether a call may give back a lock that is not in s.
func (b *blockers) givesBack(cc *ssa.CallCommon, s state) bool {
	if path, take, ok := lockOp(cc); ok {
		return !take && !s.all && s.find(path) < 0
	}
	f := cc.StaticCallee()
	return f != nil && b.unbalanced[f]
}

// firstBlock is the first operation in a function's text at which it may block.
func (b *blockers) firstBlock(f *ssa.Function) (operation, bool) {
	best, found := operation{}, false
	for _, blk := range f.Blocks {
		for _, in := range blk.Instrs {
			if op, ok := b.mayBlock(in); ok && (!found || op.at < best.at) {
				best, found = op, true
			}
		}
	}
	return best, found
}

// mayBlock says at what an instruction may block: its own operation, or that of a
// function that it calls.
func (b *blockers) mayBlock(in ssa.Instruction) (operation, bool) {
	if op, ok := blockOp(in); ok {
		return op, true
	}
	if cc := callOf(in); cc != nil {
		if f := cc.StaticCallee(); f != nil && !b.unbalanced[f] {
			op, ok := b.blocks[f]
			return op, ok
		}
	}
	return operation{}, false
}

// blockOp is the operation of an instruction that may block by itself.
func blockOp(in ssa.Instruction) (operation, bool) {
	switch in := in.(type) {
	case *ssa.Send:
		return operation{"send", in.Pos()}, true
	case *ssa.UnOp:
		return operation{"receive", in.Pos()}, in.Op == token.ARROW
	case *ssa.Select:
		return operation{"select", in.Pos()}, in.Blocking
	}
	if cc := callOf(in); cc != nil {
		if f := cc.StaticCallee(); f != nil {
			what, ok := waits[fullName(f)]
			return operation{what, in.Pos()}, ok
		}
	}
	return operation{}, false
}

// walk calls visit with each instruction of a function and the locks that are surely held
// before it.
func (b *blockers) walk(f *ssa.Function, visit func(ssa.Instruction, state)) {
	order := f.DomPreorder()
	in := dataflow.Forward(order, states{}, f.Blocks[0], state{}, func(blk *ssa.BasicBlock, s state, emit func(*ssa.BasicBlock, state)) {
		for _, i := range blk.Instrs {
			s = b.step(i, s)
		}
		for _, to := range blk.Succs {
			emit(to, s)
		}
	})
	for _, blk := range order {
		s := in[blk]
		if s.all {
			continue // not reached
		}
		for _, i := range blk.Instrs {
			visit(i, s)
			s = b.step(i, s)
		}
	}
}

// step is what is held after an instruction.
func (b *blockers) step(in ssa.Instruction, s state) state {
	switch in := in.(type) {
	case *ssa.RunDefers:
		return state{}
	case *ssa.Call:
		if path, take, ok := lockOp(&in.Call); ok {
			switch {
			case take:
				return s.with(lock{path, in.Pos()})
			case s.find(path) < 0:
				return state{} // one of those held, by another name
			}
			return s.without(path)
		}
		f := in.Call.StaticCallee()
		if _, builtin := in.Call.Value.(*ssa.Builtin); builtin || in.Call.IsInvoke() {
			return s
		}
		if f == nil || b.unbalanced[f] {
			return state{}
		}
	}
	return s
}

// check reports an instruction at which locks are held and that may block.
func (b *blockers) check(in ssa.Instruction, s state) {
	if _, deferred := in.(*ssa.Defer); deferred || len(s.locks) == 0 {
		return
	}
	op, ok := b.mayBlock(in)
	if !ok {
		return
	}
	var names []string
	var related []diag.Related
	for _, l := range s.locks {
		names = append(names, l.path)
		related = append(related, diag.Related{Pos: b.src.Position(l.at), Message: l.path + " is taken here"})
	}
	held := strings.Join(names, ", ") + " is held"
	if len(names) > 1 {
		held = strings.Join(names, ", ") + " are held"
	}
	what := "at a " + op.what
	if _, own := blockOp(in); !own {
		what = fmt.Sprintf("in a call of %s, which may block at a %s", callOf(in).StaticCallee().Name(), op.what)
		related = append(related, diag.Related{Pos: b.src.Position(op.at), Message: "the " + op.what})
	}
	at := b.src.Position(in.Pos())
	msg := held + " " + what + ": if who would end the waiting needs it, nobody goes on"
	if key := at.String() + msg; !b.seen[key] {
		b.seen[key] = true
		b.out = append(b.out, diag.Finding{Kind: ruleBlock, Level: diag.Warning, Pos: at, Function: nameOf(in.Parent()), Subject: strings.Join(names, ", "),
			Message: msg, Related: related})
	}
}

// nameOf is a function's name as the compiler writes it: (*T).run, main.func1.
func nameOf(f *ssa.Function) string {
	if f.Parent() != nil {
		return nameOf(f.Parent()) + ".func" + f.Name()[strings.LastIndex(f.Name(), "$")+1:]
	}
	if p := packageOf(f); p != nil {
		return f.RelString(p.Pkg)
	}
	return f.Name()
}
