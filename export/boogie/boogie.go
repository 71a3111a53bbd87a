package boogie

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"whoop/analysis/alias"
	"whoop/ir"
)

// Options select what is written.
type Options struct {
	// Pair names two entries (or twice the same one) that main starts after the init
	// entries have run. Where it is empty, main runs the program's function main, or
	// starts every entry that nothing else starts.
	Pair []string
	// Yield says before which instructions another thread may be scheduled; nil means
	// every access to shared memory and every synchronisation operation. Instructions
	// that may block have a yield in any case: without one, executions in which they wait
	// would be lost.
	Yield func(ir.Instr) bool
	// Inline, where positive, marks procedures {:inline N}, for verifiers that do not
	// look into calls otherwise.
	Inline int
	// CheckLocks adds assertions that no thread takes a lock it holds, and none releases
	// a lock it does not hold.
	CheckLocks bool
	// CheckRaces adds assertions that no two threads are about to make conflicting
	// accesses to shared memory: a thread may stop before an access, and another one's
	// conflicting access then is a race.
	CheckRaces bool
	// Facts are the alias analysis of the program; nil: Emit runs it.
	Facts *alias.Result
}

// Emit writes p as Boogie. It reports entries of Options.Pair that do not exist.
func Emit(w io.Writer, p *ir.Program, opt Options) error {
	p, _ = ir.WithoutAwaits(p)
	t, err := translate(p, opt)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, t)
	return err
}

// program is the state of one translation.
type program struct {
	ir    *ir.Program
	res   *alias.Result
	opt   Options
	yield func(ir.Instr) bool
	mem   *memory
	// pair is Options.Pair, resolved.
	pair []*ir.Entry
	// name of procedures; addr the constant of a function's or global's address.
	name map[*ir.Func]string
	addr map[any]string
	// addressTaken are the functions, globals and pseudo-locks whose address occurs.
	addressTaken map[any]bool
	// tls numbers the thread-local globals.
	tls map[*ir.Global]int
	// exits are the functions that may end their thread.
	exits map[*ir.Func]bool
	// bodies are the translations of the functions that main reaches, pending those that
	// wait for theirs.
	bodies  map[*ir.Func]string
	pending []*ir.Func
	// feat is what the program uses, see features.
	feat features
	// helpers, threads and texts are the parts of the prelude that are called, wrappers
	// that are spawned, and opaque constants, found while procedures are translated.
	helpers map[string]bool
	threads map[*ir.Func]bool
	texts   map[string]string
	ghosts  map[*ir.Reg]string
	notes   map[string]bool
	// bv and sizes are the operations on bit vectors, and on values of several bytes,
	// that are needed.
	bv    map[bvOp]bool
	sizes map[string]bool
}

func translate(p *ir.Program, opt Options) (string, error) {
	t := &program{ir: p, res: opt.Facts, opt: opt, yield: opt.Yield, name: map[*ir.Func]string{}, bodies: map[*ir.Func]string{}, addr: map[any]string{}, addressTaken: map[any]bool{},
		tls: map[*ir.Global]int{}, helpers: map[string]bool{}, threads: map[*ir.Func]bool{}, texts: map[string]string{},
		ghosts: map[*ir.Reg]string{}, notes: map[string]bool{},
		bv: map[bvOp]bool{}, sizes: map[string]bool{}}
	for _, n := range opt.Pair {
		e := p.EntryByName(n)
		if e == nil || e.Func == nil {
			return "", fmt.Errorf("no entry point %q in the program", n)
		}
		t.pair = append(t.pair, e)
	}
	if len(t.pair) != 0 && len(t.pair) != 2 {
		return "", fmt.Errorf("%d entry points: want two", len(t.pair))
	}
	if t.res == nil {
		t.res = alias.Analyze(p, alias.Options{})
	}
	if t.yield == nil {
		t.yield = t.yieldAll
	}
	t.nameAll()
	t.feat = featuresOf(p)
	t.mem = newMemory(p, t.res)
	t.findExits()
	main, err := t.harness()
	if err != nil {
		return "", err
	}
	funcs := t.functions()
	threads := t.threadProcs()
	init := t.initProcs()
	return t.header() + t.declarations() + t.prelude() + init + main + threads + funcs, nil
}

// reach marks a function as one that is called.
func (t *program) reach(f *ir.Func) {
	if _, seen := t.bodies[f]; !seen {
		t.bodies[f] = ""
		t.pending = append(t.pending, f)
	}
}

// functions translates what main reaches.
func (t *program) functions() string {
	for len(t.pending) > 0 {
		f := t.pending[0]
		t.pending = t.pending[1:]
		t.bodies[f] = t.function(f)
	}
	var b strings.Builder
	for _, f := range t.ir.Funcs {
		b.WriteString(t.bodies[f])
	}
	return b.String()
}

// note puts a line into the header's list of assumptions.
func (t *program) note(format string, args ...any) { t.notes[fmt.Sprintf(format, args...)] = true }

// use marks a part of the prelude as needed and returns its name.
func (t *program) use(name string) string {
	t.helpers[name] = true
	return name
}

func (t *program) header() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// Program %s, in Corral's dialect of Boogie: corral /main:main /cooperative FILE\n", comment(t.ir.Name))
	for _, e := range t.pair {
		fmt.Fprintf(&b, "// Entry point: %s (%s)\n", comment(e.Name), comment(e.Kind))
	}
	lines := map[string]bool{}
	for n := range t.notes {
		lines[n] = true
	}
	for _, as := range [][]ir.Assumption{t.ir.Assumptions, t.res.Assumptions()} {
		for _, a := range as {
			lines[fmt.Sprintf("%s: %s (%s)", a.Kind, a.Text, a.Pos)] = true
		}
	}
	if len(lines) > 0 {
		b.WriteString("// Assumptions:\n")
	}
	for _, l := range sorted(lines) {
		fmt.Fprintf(&b, "//   %s\n", comment(l))
	}
	return b.String() + "\n"
}

// addressed are the functions, variables and pseudo-locks that have a constant address,
// in its order.
func (t *program) addressed() (keys []any, what []string) {
	for _, f := range t.ir.Funcs {
		keys, what = append(keys, f), append(what, "function "+f.Name)
	}
	for _, g := range t.ir.Globals {
		if _, local := t.tls[g]; !local {
			keys, what = append(keys, g), append(what, fmt.Sprintf("%s: %s", g.Name, g.Type))
		}
	}
	for _, h := range t.pseudoLocks() {
		keys, what = append(keys, h), append(what, "lock "+h)
	}
	return keys, what
}

// address is the constant for the address of a function, a variable or a pseudo-lock.
func (t *program) address(k any) string {
	t.addressTaken[k] = true
	return t.addr[k]
}

// firstAddress is the address of the first object that is allocated.
func (t *program) firstAddress() int64 {
	keys, _ := t.addressed()
	return int64(len(keys)+1) * window
}

// declarations are the addresses, the memory and what else is global.
func (t *program) declarations() string {
	var b strings.Builder
	keys, what := t.addressed()
	for i, k := range keys {
		if !t.addressTaken[k] {
			continue
		}
		fmt.Fprintf(&b, "const %s: int; axiom %s == %d; // %s\n", t.addr[k], t.addr[k], int64(i+1)*window, comment(what[i]))
	}
	for _, k := range sorted(t.texts) {
		fmt.Fprintf(&b, "const %s: int; // %s\n", t.texts[k], comment(k))
	}
	b.WriteString("var $next: int; // address of the next object\n")
	for _, c := range t.mem.classes {
		fmt.Fprintf(&b, "var %s: [int]int; // %s: %s\n", c.name, c.what(), comment(c.regions()))
	}
	for _, g := range t.ir.Ghosts {
		fmt.Fprintf(&b, "var %s: [int]%s; // by thread\n", t.ghosts[g], boogieType(g.Type))
	}
	return b.String()
}

// sorted returns the keys of a map in order.
func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
