package golang

import (
	"bytes"
	"embed"
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

	"whoop/ir"
)

//go:embed models/*.yaml
var embedded embed.FS

// modelFile is a file of models: what library types and functions mean.
type modelFile struct {
	Version  int                   `yaml:"version"`
	Types    map[string]*typeModel `yaml:"types,omitempty"`
	Funcs    []*funcModel          `yaml:"funcs,omitempty"`
	Packages map[string]string     `yaml:"packages,omitempty"`
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

// typeModel is the representation of a library type: members of kinds u16, u32, i32, u64, i64,
// ptr (to the type argument), func, any (two members), and bag (a set of interface
// values).
type typeModel struct {
	Size   int64    `yaml:"size"`
	Fields []string `yaml:"fields,omitempty"`
	Kinds  []string `yaml:"kinds,omitempty"`
}

// funcModel is what a call of a library function does. See docs/reference/golang.md for
// the operations.
type funcModel struct {
	Names []string `yaml:"names"`
	Op    string   `yaml:"op"`
	Mode  string   `yaml:"mode,omitempty"`
	// Arith is the operator of an atomic update.
	Arith string `yaml:"arith,omitempty"`
	// Fn is the parameter that is called, from 0, the receiver included; for fill, the
	// one that is written where not all are.
	Fn int `yaml:"fn,omitempty"`
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

// modelSet is all models together.
type modelSet struct {
	types    map[string]*typeModel
	funcs    map[string]*funcModel
	packages map[string]string
	safe     map[string]bool
	stateful map[string]bool
	// concurrent are the interfaces and types of functions that libraries use from
	// several goroutines.
	concurrent map[string]bool
}

// ops are the operations of function models, and effects those of packages.
var (
	ops = []string{"lock", "unlock", "trylock", "once", "oncefunc", "condwait", "newcond", "add", "done", "wait", "go", "call", "load", "store", "swap",
		"cas", "update", "pure", "reads", "copy", "fresh", "part", "within", "drain", "self", "others", "fill", "touch", "abort", "exit", "panic", "put", "get", "range", "unknown"}
	kinds   = []string{"u16", "u32", "i32", "u64", "i64", "ptr", "func", "any", "bag"}
	effects = []string{"pure", "reads", "part", "within", "drain", "self", "others", "fill", "touch"}
)

// checkKept checks what a model says of things that are kept.
func (m *funcModel) checkKept() error {
	if !slices.Contains([]string{"", "write", "visit"}, m.Uses) {
		return fmt.Errorf("uses is write or visit, not %q", m.Uses)
	}
	if _, err := strconv.Atoi(m.Keeps); err != nil && m.Keeps != "" && m.Keeps != "result" {
		return fmt.Errorf("keeps is the number of a parameter or result, not %q", m.Keeps)
	}
	return nil
}

// loadModels reads the embedded models and further files, which replace what they say
// about the same names.
func loadModels(more []string) (*modelSet, error) {
	m := &modelSet{types: map[string]*typeModel{}, funcs: map[string]*funcModel{}, packages: map[string]string{}, safe: map[string]bool{}, stateful: map[string]bool{},
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
func (m *modelSet) checkReceivers() error {
	for _, name := range slices.Sorted(maps.Keys(m.funcs)) {
		op := m.funcs[name].Op
		recv, isMethod := strings.CutPrefix(name, "(*")
		recv, _, _ = strings.Cut(recv, ")")
		t, n := m.types[recv], 0
		switch op {
		case "lock", "unlock", "trylock":
			n = 2
		case "once":
			n = 3
		case "put", "get", "range":
			if isMethod && (t == nil || !strings.HasSuffix(strings.Join(t.Kinds, " "), "bag")) {
				return fmt.Errorf("%s: its op is %s, but no type %s with a bag as its last member is listed", name, op, recv)
			}
		case "add", "done", "wait":
			if isMethod && !t.counts() {
				return fmt.Errorf("%s: its op is %s, but no type %s with the members of sync.WaitGroup is listed", name, op, recv)
			}
		}
		if isMethod && n > 0 && (t == nil || len(t.Fields) < n) {
			return fmt.Errorf("%s: its op is %s, but no type %s with %d members or more is listed", name, op, recv, n)
		}
	}
	return nil
}

// counts reports whether values of a type count goroutines: it has the members of a
// sync.WaitGroup.
func (t *typeModel) counts() bool {
	return t != nil && slices.Equal(t.Fields, []string{"count", "order", "use", "__begun"})
}

func (m *modelSet) add(name string, text []byte) error {
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

// fields are the members of a modelled type.
func (m *modelSet) fields(t *typeModel, n *types.Named, l *layouts) []ir.Field {
	var out []ir.Field
	off := int64(0)
	add := func(name string, ft ir.Type) {
		off = roundUp(off, min(ft.Size(), 8))
		out = append(out, ir.Field{Name: name, Type: ft, Offset: off})
		off += ft.Size()
	}
	for i, k := range t.Kinds {
		name := "__" + t.Fields[i]
		switch k {
		case "u16":
			add(name, ir.Int{Bits: 16})
		case "u32":
			add(name, ir.U32)
		case "i32":
			add(name, ir.I32)
		case "u64":
			add(name, ir.U64)
		case "i64":
			add(name, ir.I64)
		case "ptr":
			pt := ir.VPtr
			if n.TypeArgs().Len() > 0 {
				pt = ir.Ptr{Elem: l.mem(n.TypeArgs().At(0))}
			}
			add(name, pt)
		case "func":
			add(name, funcT)
		case "any":
			add(name+".type", ir.U32)
			off = roundUp(off, 8)
			add(name+".data", ir.VPtr)
		case "bag":
			add(name, ir.Array{Elem: l.of(anyType).mem, Len: bagSize})
		}
	}
	return out
}

// bagSize is how many elements a container of the library has in memory; which one an
// operation uses is arbitrary.
const bagSize = 64

var anyType = types.NewInterfaceType(nil, nil)

var typeArgs = regexp.MustCompile(`\[[^\]]*\]`)

// modelName is the name of a function in the models: (*sync.Mutex).Lock,
// sync/atomic.AddInt64.
func modelName(f *ssa.Function) string {
	if o := f.Origin(); o != nil {
		f = o
	}
	o, ok := f.Object().(*types.Func)
	if !ok {
		return ""
	}
	return typeArgs.ReplaceAllString(o.FullName(), "")
}

// model returns the model of a function, or nil. A function with a body has none unless
// it is synthetic and only stands for one that has.
func (l *lowering) model(f *ssa.Function) *funcModel {
	if len(f.Blocks) > 0 {
		return nil
	}
	return l.m.funcs[modelName(f)]
}

// streamEffect is what the methods of io.Reader, io.Writer and io.StringWriter do with
// the slice that they are given, by their documentation: implementations do not keep it,
// and Write only reads it. "" for other methods.
func streamEffect(name string, sig *types.Signature) string {
	if sig.Params().Len() != 1 || sig.Results().Len() != 2 || !types.Identical(sig.Results().At(0).Type(), types.Typ[types.Int]) {
		return ""
	}
	t := sig.Params().At(0).Type()
	bytes := types.Identical(t, types.NewSlice(types.Typ[types.Byte]))
	switch {
	case name == "Write" && bytes, name == "WriteString" && types.Identical(t, types.Typ[types.String]):
		return "reads"
	case name == "Read" && bytes:
		return "fill"
	}
	return ""
}

// effectOf is what a library function without a model of its own does to what it is
// given.
func (l *lowering) effectOf(f *types.Func) string {
	if f.Pkg() == nil {
		return "reads" // error.Error
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
		if n, ok := types.Unalias(t).(*types.Named); ok && l.m.safe[n.Obj().Pkg().Path()+"."+n.Obj().Name()] {
			return "others"
		}
		if _, ok := t.Underlying().(*types.Pointer); ok {
			return "touch"
		}
		if e, ok := l.m.packages[f.Pkg().Path()+" methods"]; ok {
			return e
		}
		if _, isPtr := r.Type().(*types.Pointer); isPtr || types.IsInterface(t) {
			return "touch"
		}
	}
	if e, ok := l.m.packages[f.Pkg().Path()]; ok {
		return e
	}
	return "touch"
}

// reflecting are the packages of the standard library whose functions look into values of
// any type: they print or encode them.
var reflecting = []string{"fmt", "log", "encoding/json", "encoding/xml", "encoding/gob", "encoding/asn1", "encoding/binary", "reflect", "text/template",
	"html/template", "testing", "expvar", "unsafe", "sort", "database/sql"}

// reflects reports whether the functions of a package may look into values of any type.
// Of packages of other modules it is not known.
func (m *modelSet) reflects(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") || slices.ContainsFunc(reflecting, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
}
