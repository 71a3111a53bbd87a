package library

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"go/types"
	"maps"
	"os"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

//go:embed models/*.yaml
var embedded embed.FS

// modelFile is a file of models: what library types and functions mean.
type modelFile struct {
	Version  int              `yaml:"version"`
	Types    map[string]*Type `yaml:"types,omitempty"`
	Funcs    []*Func          `yaml:"funcs,omitempty"`
	Packages map[string]Op    `yaml:"packages,omitempty"`
	// Safe lists library types whose methods may be called at the same time; what they do
	// inside is not looked at.
	Safe []string `yaml:"safe,omitempty"`
	// Stateful lists interfaces behind which library functions return objects with state,
	// which are not for concurrent use, and functions whose results are such.
	Stateful []string `yaml:"stateful,omitempty"`
	// Concurrent lists interfaces and types of functions that a library uses from several
	// goroutines: who implements one is told by its documentation to allow for that.
	Concurrent []string `yaml:"concurrent,omitempty"`
}

// Type is the representation of a library type: members of kinds u16, u32, i32, u64, i64,
// ptr (to the type argument), func, any (two members), and bag (a set of interface
// values).
type Type struct {
	Size   int64    `yaml:"size"`
	Fields []string `yaml:"fields,omitempty"`
	Kinds  []string `yaml:"kinds,omitempty"`
}

// Func is what a call of a library function does. See docs/reference/golang.md for
// the operations.
type Func struct {
	Names []string `yaml:"names"`
	Op    Op       `yaml:"op"`
	Mode  string   `yaml:"mode,omitempty"`
	// Arith is the operator of an atomic update.
	Arith string `yaml:"arith,omitempty"`
	// Fn is the parameter that is called, from 0, the receiver included; for fill, the
	// one that is written where not all are.
	Fn int `yaml:"fn,omitempty"`
	// First: a fill operation writes its first parameter, and reads the others.
	First bool `yaml:"first,omitempty"`
	// With is the parameter that a go operation gives to the function; 0: it makes up
	// what that is given.
	With int `yaml:"with,omitempty"`
	// Kind is the kind of the entry point that a go operation makes.
	Kind string `yaml:"kind,omitempty"`
	// Field is the field of the receiver that a go operation starts the methods of,
	// instead of a parameter. Other operations call what is in the fields.
	Field string `yaml:"field,omitempty"`
	// Many: the function may be started several times at once.
	Many bool `yaml:"many,omitempty"`
	// Keeps is what the receiver, the results or the package keep besides functions and
	// interfaces: the number of a parameter, or "result".
	Keeps string `yaml:"keeps,omitempty"`
	// Uses says what the function does to what was kept so: "write" it, or "visit" it as
	// templates do.
	Uses string `yaml:"uses,omitempty"`
	// Assumes is what is assumed of how the program uses the function; calls say so.
	Assumes string `yaml:"assumes,omitempty"`
}

// Models is all models together.
type Models struct {
	types    map[string]*Type
	funcs    map[string]*Func
	packages map[string]Op
	safe     map[string]bool
	stateful map[string]bool
	// concurrent are the interfaces and types of functions that libraries use from
	// several goroutines.
	concurrent map[string]bool
}

// An Op is what a function of a library does.
type Op string

// The operations: docs/reference/golang.md has their meanings. The effects (effects below)
// say what a function does with what it is given, and are all that a package can have.
const (
	OpLock     Op = "lock"
	OpUnlock   Op = "unlock"
	OpTryLock  Op = "trylock"
	OpOnce     Op = "once"
	OpOnceFunc Op = "oncefunc"
	OpCondWait Op = "condwait"
	OpNewCond  Op = "newcond"
	OpNewSem   Op = "newsem"
	OpSemWait  Op = "semwait"
	OpSemTry   Op = "semtry"
	OpSemPost  Op = "sempost"
	OpAdd      Op = "add"
	OpDone     Op = "done"
	OpWait     Op = "wait"
	OpGo       Op = "go"
	OpCall     Op = "call"
	OpLoad     Op = "load"
	OpStore    Op = "store"
	OpSwap     Op = "swap"
	OpCAS      Op = "cas"
	OpUpdate   Op = "update"
	OpPure     Op = "pure"
	OpReads    Op = "reads"
	OpCopy     Op = "copy"
	OpFresh    Op = "fresh"
	OpPart     Op = "part"
	OpWithin   Op = "within"
	OpDrain    Op = "drain"
	OpSelf     Op = "self"
	OpOthers   Op = "others"
	OpFill     Op = "fill"
	OpTouch    Op = "touch"
	OpAbort    Op = "abort"
	OpExit     Op = "exit"
	OpPanic    Op = "panic"
	OpPut      Op = "put"
	OpGet      Op = "get"
	OpRange    Op = "range"
	OpUnknown  Op = "unknown"
)

// ops are the operations of function models, and effects those of packages.
var (
	ops = []Op{OpLock, OpUnlock, OpTryLock, OpOnce, OpOnceFunc, OpCondWait, OpNewCond, OpNewSem, OpSemWait, OpSemTry, OpSemPost, OpAdd, OpDone, OpWait, OpGo, OpCall, OpLoad, OpStore, OpSwap,
		OpCAS, OpUpdate, OpPure, OpReads, OpCopy, OpFresh, OpPart, OpWithin, OpDrain, OpSelf, OpOthers, OpFill, OpTouch, OpAbort, OpExit, OpPanic, OpPut, OpGet, OpRange, OpUnknown}
	kinds   = []string{"u16", "u32", "i32", "u64", "i64", "ptr", "func", "any", "bag"}
	effects = []Op{OpPure, OpReads, OpPart, OpWithin, OpDrain, OpSelf, OpOthers, OpFill, OpTouch}
)

// OnSemaphore reports whether an operation is one on weighted semaphores.
func (op Op) OnSemaphore() bool {
	return op == OpNewSem || op == OpSemWait || op == OpSemTry || op == OpSemPost
}

// checkKept checks what a model says of things that are kept.
func (m *Func) checkKept() error {
	if !slices.Contains([]string{"", "write", "visit"}, m.Uses) {
		return fmt.Errorf("uses is write or visit, not %q", m.Uses)
	}
	if _, err := strconv.Atoi(m.Keeps); err != nil && m.Keeps != "" && m.Keeps != "result" {
		return fmt.Errorf("keeps is the number of a parameter or result, not %q", m.Keeps)
	}
	return nil
}

// Load reads the embedded models and further files, which replace what they say
// about the same names.
func Load(more []string) (*Models, error) {
	m := &Models{types: map[string]*Type{}, funcs: map[string]*Func{}, packages: map[string]Op{}, safe: map[string]bool{}, stateful: map[string]bool{},
		concurrent: map[string]bool{}}
	files, err := embedded.ReadDir("models")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		b, err := embedded.ReadFile("models/" + f.Name())
		if err != nil {
			return nil, err
		}
		if err := m.add(f.Name(), b); err != nil {
			return nil, err
		}
	}
	sort.Strings(more)
	for _, name := range more {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := m.add(name, b); err != nil {
			return nil, err
		}
	}
	return m, m.checkReceivers()
}

// checkReceivers checks that the types of receivers have the members that operations on
// them access.
func (m *Models) checkReceivers() error {
	for _, name := range slices.Sorted(maps.Keys(m.funcs)) {
		op := m.funcs[name].Op
		recv, isMethod := strings.CutPrefix(name, "(*")
		recv, _, _ = strings.Cut(recv, ")")
		t, n := m.types[recv], 0
		switch op {
		case OpLock, OpUnlock, OpTryLock:
			n = 2
		case OpSemWait, OpSemTry, OpSemPost:
			n = 1
		case OpOnce:
			n = 3
		case OpPut, OpGet, OpRange:
			if isMethod && (t == nil || !strings.HasSuffix(strings.Join(t.Kinds, " "), "bag")) {
				return fmt.Errorf("%s: its op is %s, but no type %s with a bag as its last member is listed", name, op, recv)
			}
		case OpAdd, OpDone, OpWait:
			if isMethod && !t.Counts() {
				return fmt.Errorf("%s: its op is %s, but no type %s with the members of sync.WaitGroup is listed", name, op, recv)
			}
		}
		if isMethod && n > 0 && (t == nil || len(t.Fields) < n) {
			return fmt.Errorf("%s: its op is %s, but no type %s with %d members or more is listed", name, op, recv, n)
		}
	}
	return nil
}

// Counts reports whether values of a type count goroutines: it has the members of a
// sync.WaitGroup.
func (t *Type) Counts() bool {
	return t != nil && slices.Equal(t.Fields, []string{"count", "order", "use", "__begun"})
}

func (m *Models) add(name string, text []byte) error {
	var f modelFile
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&f); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if f.Version != 1 {
		return fmt.Errorf("%s: version %d; want 1", name, f.Version)
	}
	for n, t := range f.Types {
		if len(t.Fields) != len(t.Kinds) {
			return fmt.Errorf("%s: type %s has %d fields and %d kinds", name, n, len(t.Fields), len(t.Kinds))
		}
		for _, k := range t.Kinds {
			if !slices.Contains(kinds, k) {
				return fmt.Errorf("%s: type %s: the kind %q is none of %q", name, n, k, kinds)
			}
		}
		m.types[n] = t
	}
	for _, x := range f.Funcs {
		if !slices.Contains(ops, x.Op) {
			return fmt.Errorf("%s: %v: the op %q is none of %q", name, x.Names, x.Op, ops)
		}
		if err := x.checkKept(); err != nil {
			return fmt.Errorf("%s: %v: %w", name, x.Names, err)
		}
		for _, n := range x.Names {
			m.funcs[n] = x
		}
	}
	for p, e := range f.Packages {
		if !slices.Contains(effects, e) {
			return fmt.Errorf("%s: package %s: the effect %q is none of %q", name, p, e, effects)
		}
		m.packages[p] = e
	}
	for _, s := range f.Safe {
		m.safe[s] = true
	}
	for _, s := range f.Stateful {
		m.stateful[s] = true
	}
	for _, s := range f.Concurrent {
		m.concurrent[s] = true
	}
	return nil
}

var AnyType = types.NewInterfaceType(nil, nil)

var typeArgs = regexp.MustCompile(`\[[^\]]*\]`)

// Name is the name of a function in the models: (*sync.Mutex).Lock,
// sync/atomic.AddInt64.
func Name(f *ssa.Function) string {
	if o := f.Origin(); o != nil {
		f = o
	}
	o, ok := f.Object().(*types.Func)
	if !ok {
		return ""
	}
	return MethodName(o)
}

// MethodName is modelName of a declared function or method.
func MethodName(o *types.Func) string {
	return typeArgs.ReplaceAllString(o.FullName(), "")
}

// ByName is the model of the function of a name, or nil.
func (m *Models) ByName(name string) *Func { return m.funcs[name] }

// TypeOf is the model of a library type, or nil.
func (m *Models) TypeOf(n *types.Named) *Type {
	return m.types[n.Obj().Pkg().Path()+"."+n.Obj().Name()]
}

// IsStateful reports whether what has a name is listed as stateful: the key of an
// interface, or a function.
func (m *Models) IsStateful(name string) bool { return m.stateful[name] }

// ConcurrentTypes are the names of the types that are listed as concurrent, in order.
func (m *Models) ConcurrentTypes() []string { return form.SortedKeys(m.concurrent) }

// Model returns the model of a function, or nil. A function with a body has none unless
// it is synthetic and only stands for one that has.
func (m *Models) Model(f *ssa.Function) *Func {
	if len(form.Body(f).Blocks) > 0 {
		return nil
	}
	return m.ByName(Name(f))
}

// streamEffect is what the methods of io.Reader, io.Writer and io.StringWriter do with
// the slice that they are given, by their documentation: implementations do not keep it,
// and Write only reads it. "" for other methods.
func streamEffect(name string, sig *types.Signature) Op {
	if sig.Params().Len() != 1 || sig.Results().Len() != 2 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) {
		return ""
	}
	t := sig.Params().At(0).Type()
	bytes := types.Identical(t, types.NewSlice(types.Typ[types.Byte]))
	switch {
	case name == "Write" && bytes, name == "WriteString" && types.Identical(t, types.Typ[types.String]):
		return OpReads
	case name == "Read" && bytes:
		return OpFill
	}
	return ""
}

// EffectOf is what a library function without a model of its own does to what it is
// given.
func (m *Models) EffectOf(f *types.Func) Op {
	if f.Pkg() == nil {
		return OpReads // error.Error
	}
	sig := f.Type().(*types.Signature)
	if r := sig.Recv(); r != nil {
		t := r.Type()
		if e := streamEffect(f.Name(), sig); e != "" && types.IsInterface(t) {
			return e
		}
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && m.SafeType(n) {
			return OpOthers
		}
		if _, ok := t.Underlying().(*types.Pointer); ok {
			return OpTouch
		}
		if e, ok := m.packages[f.Pkg().Path()+" methods"]; ok {
			return e
		}
		if _, isPtr := r.Type().(*types.Pointer); isPtr || types.IsInterface(t) {
			return OpTouch
		}
	}
	if e, ok := m.packages[f.Pkg().Path()]; ok {
		return e
	}
	return OpTouch
}

// WritesArgument reports whether a library function may write what its argument i, from 0,
// the receiver included, leads to.
func (m *Models) WritesArgument(f *types.Func, i int) bool {
	op := m.EffectOf(f)
	if d := m.ByName(MethodName(f)); d != nil {
		if op = d.Op; op == OpFill && d.First {
			return i == 0
		}
	}
	return op != OpPure && op != OpReads
}

// reflecting are the packages of the standard library whose functions look into values of
// any type: they print or encode them.
var reflecting = []string{"fmt", "log", "encoding/json", "encoding/xml", "encoding/gob", "encoding/asn1", "encoding/binary", "reflect", "text/template",
	"html/template", "testing", "expvar", "unsafe", "sort", "database/sql"}

// Reflects reports whether the functions of a package may look into values of any type.
// Of packages of other modules it is not known.
func (m *Models) Reflects(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") || slices.ContainsFunc(reflecting, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
}

// StartsFields reports whether a method of a library type starts what is in its fields.
func (m *Models) StartsFields(n *types.Named) bool {
	for name, f := range m.funcs {
		if f.Op == OpGo && f.Field != "" && strings.HasPrefix(name, "(*"+n.Obj().Pkg().Path()+"."+n.Obj().Name()+").") {
			return true
		}
	}
	return false
}

// Starts says what a function of the standard library starts: see external.Library.
func (m *Models) Starts(name string) (param int, field string, ok bool) {
	f := m.funcs[name]
	if f == nil || f.Op != OpGo {
		return 0, "", false
	}
	return f.Fn, f.Field, true
}

// StartsHash changes with what Starts says.
func (m *Models) StartsHash() string {
	h := sha256.New()
	for _, name := range form.SortedKeys(m.funcs) {
		if i, field, ok := m.Starts(name); ok {
			fmt.Fprintln(h, name, i, field)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
