package c

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Objects that functions of the kernel make and end, told by names where no model
// describes them: memstick_alloc_host and memstick_free_host. A function with the word
// "alloc" in its name that returns a pointer to a struct returns a new object; one with
// the word "free", or "put", of an object of such a type ends it: what is accessed
// later, in it or in the private part behind it, is used after it was freed. The last
// reference is taken to be the program's where it only puts what it has allocated, and
// never gets another reference by a function of that name
// (driver-api/infrastructure.rst; core-api/kref.rst).

var (
	allocating = []string{"alloc", "allocate", "zalloc"}
	freeing    = []string{"free", "put", "destroy"}
)

func words(name string) []string { return strings.Split(strings.Trim(name, "_"), "_") }

func hasWord(name string, of []string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return slices.Contains(of, w) })
}

// madeStruct is the struct to which a type points.
func madeStruct(t ir.Type) *ir.Struct {
	if p, ok := t.(ir.Ptr); ok {
		s, _ := p.Elem.(*ir.Struct)
		return s
	}
	return nil
}

// allocates notes what a call makes by its name: the private part that belongs to an
// object of a type is what the size among the arguments is of.
func (l *lowerer) allocates(x *cc.PostfixExpression, name string) {
	s := madeStruct(l.types.Type(x.Type().Decay()))
	if s == nil || !l.core() || !hasWord(name, allocating) {
		return
	}
	for _, e := range args(x) {
		if t := sizeofType(e); t != nil && t.Kind() == cc.Struct && !t.IsIncomplete() {
			if p, ok := l.types.Type(t).(*ir.Struct); ok && p != s && !slices.Contains(l.program.private[s], p) {
				if l.program.private == nil {
					l.program.private = map[*ir.Struct][]*ir.Struct{}
				}
				l.program.private[s] = append(l.program.private[s], p)
			}
		}
	}
}

// frees notes that a call ends an object, by its name.
func (l *lowerer) frees(x *cc.PostfixExpression, name string, vs []ir.Expr) {
	if !l.core() || !hasWord(name, freeing) {
		return
	}
	for _, v := range vs {
		v = ir.Uncast(v)
		s := madeStruct(v.Type())
		if s == nil || !l.makes(name, s) {
			continue
		}
		l.warn("owned", x, name, "%s ends the object that it is given, by its name", name)
		in := &ir.Free{Base: at(x), Addr: v}
		l.emit(in)
		if l.program.ended == nil {
			l.program.ended = map[ir.Instr]*ir.Struct{}
		}
		l.program.ended[in] = s
		return
	}
}

// privateParts ends the private parts of objects where these end.
func (pr *program) privateParts() {
	for _, f := range pr.p.Funcs {
		for _, b := range f.Blocks {
			for i := len(b.Instrs) - 1; i >= 0; i-- {
				in, ok := b.Instrs[i].(*ir.Free)
				if !ok || pr.ended[in] == nil {
					continue
				}
				for _, p := range pr.private[pr.ended[in]] {
					b.Instrs = slices.Insert(b.Instrs, i+1, ir.Instr(&ir.Free{Base: in.Base, Addr: ir.Cast{X: in.Addr, T: ir.Ptr{Elem: p}}}))
				}
			}
		}
	}
}

// makes reports whether some function makes objects of a type that one named so ends.
func (l *lowerer) makes(name string, s *ir.Struct) bool {
	put := slices.Contains(words(name), "put")
	found := false
	for _, f := range l.program.funcs {
		if f == nil || !f.Extern {
			continue
		}
		if put && sameWords(f.Name, name, "get", "put") {
			return false
		}
		found = found || madeStruct(f.Result) == s && hasWord(f.Name, allocating)
	}
	return found
}

// sameWords reports whether two names differ in one word, which is a in the first and b
// in the second.
func sameWords(f, g, a, b string) bool {
	v := words(f)
	for i, w := range v {
		if w == a {
			v[i] = b
		}
	}
	return strings.Join(v, "_") == strings.Join(words(g), "_") && strings.Trim(f, "_") != strings.Trim(g, "_")
}
