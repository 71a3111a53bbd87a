package c

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// The compilers' atomic functions return what has the type of the object. cc takes them
// for functions that nobody declared, which return int. So those are macros here that
// cast the result; the function in the macro has a prefix.

// typedPrefix is before the names of functions that a macro has cast to the type of the
// object.
const typedPrefix = "__whoop"

// typedAtomics are the generic functions that return a value of the object's type.
var typedAtomics = func() []string {
	names := []string{"__atomic_load_n", "__atomic_exchange_n", "__sync_val_compare_and_swap", "__sync_lock_test_and_set",
		"__c11_atomic_load", "__c11_atomic_exchange", "__c11_atomic_fetch_max", "__c11_atomic_fetch_min", "__atomic_fetch_max", "__atomic_fetch_min"}
	for _, op := range []string{"add", "sub", "and", "or", "xor", "nand"} {
		names = append(names, "__atomic_fetch_"+op, "__atomic_"+op+"_fetch", "__sync_fetch_and_"+op, "__sync_"+op+"_and_fetch", "__c11_atomic_fetch_"+op)
	}
	return names
}()

// sizedAtomics declares the functions that have a size in their names, for unsigned
// numbers.
func sizedAtomics(b *strings.Builder) {
	for size, t := range map[int]string{1: "unsigned char", 2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"} {
		for _, name := range typedAtomics {
			if name, c11 := strings.CutSuffix(name, "_n"); !strings.HasPrefix(name, "__c11") || c11 {
				fmt.Fprintf(b, "%s %s_%d();\n", t, name, size)
			}
		}
		fmt.Fprintf(b, "_Bool __sync_bool_compare_and_swap_%d(), __atomic_compare_exchange_%d();\n", size, size)
		fmt.Fprintf(b, "void __sync_lock_release_%d(), __atomic_store_%d();\n", size, size)
	}
}

// otherAtomics are the generic functions that return something else, by its type.
var otherAtomics = map[string][]string{
	"_Bool": {"__atomic_compare_exchange_n", "__atomic_compare_exchange", "__atomic_test_and_set", "__atomic_is_lock_free", "__atomic_always_lock_free",
		"__sync_bool_compare_and_swap", "__c11_atomic_compare_exchange_strong", "__c11_atomic_compare_exchange_weak", "__c11_atomic_is_lock_free"},
	"void": {"__atomic_store_n", "__atomic_clear", "__sync_lock_release", "__c11_atomic_init", "__c11_atomic_store", "__atomic_thread_fence",
		"__atomic_signal_fence", "__sync_synchronize", "__c11_atomic_thread_fence", "__c11_atomic_signal_fence"},
}

// atomicDecls are the macros and declarations of atomic functions.
var atomicDecls = func() string {
	var b strings.Builder
	for _, name := range typedAtomics {
		fmt.Fprintf(&b, "#define %s(p, ...) ((__typeof__(*(p)))%s%s(p, __VA_ARGS__))\n", name, typedPrefix, name)
	}
	for t, names := range otherAtomics {
		for _, name := range names {
			fmt.Fprintf(&b, "#define %s(...) ((%s)%s%s(__VA_ARGS__))\n", name, t, typedPrefix, name)
		}
	}
	sizedAtomics(&b)
	return b.String()
}()

// declaresAtomic finds declarations and definitions of such a function in a program. The
// words before the name are the result's type.
var declaresAtomic = regexp.MustCompile(`(?m)^[ \t]*((?:[A-Za-z_]\w*[ \t*]+)+)(__(?:sync|atomic|c11_atomic)_\w+)[ \t]*\(`)

// noType are words that a type has not.
var noType = regexp.MustCompile(`\b(return|else|do|case|goto|sizeof|define)\b`)

// ownAtomics are the names of atomic functions that a text declares by itself: they are
// no macros there, and return what it says.
func ownAtomics(src []byte) []string {
	var names []string
	for _, m := range declaresAtomic.FindAllSubmatch(src, -1) {
		if !noType.Match(m[1]) {
			names = append(names, string(m[2]))
		}
	}
	return names
}

// atomicName is the compiler's name of a function that a macro of ours may have replaced;
// it gives up where one was to be replaced and was not, as in a call of
// (__atomic_load_n)(p, 0).
func (l *lowerer) atomicName(x *cc.PostfixExpression, name string) string {
	if s, ok := strings.CutPrefix(name, typedPrefix+"__"); ok {
		return "__" + s
	}
	if _, d := callee(x); d == nil || d.Position() == x.PostfixExpression.Position() {
		if slices.Contains(typedAtomics, name) {
			l.fail(x, "a call of %s in parentheses", name)
		}
	}
	return name
}

// sizeSuffix finds the size in a function's name, in bytes.
var sizeSuffix = regexp.MustCompile(`_(1|2|4|8|16)$`)

// atomicCell is the type of what an atomic operation's pointer points to: of functions
// with a size in their names, a number of it.
func (l *lowerer) atomicCell(x *cc.PostfixExpression, name string, e cc.ExpressionNode) ir.Type {
	t := l.cell(e)
	if m := sizeSuffix.FindStringSubmatch(name); m != nil {
		var n int64
		fmt.Sscan(m[1], &n)
		if t.Size() != n || !ir.IsPtr(t) && !ir.IsInt(t) {
			t = ir.Int{Bits: int(8 * n)}
		}
	}
	return t
}

// atomicOperation is what a compiler's atomic function does, without what its name says
// of sizes.
func atomicOperation(name string) (string, bool) {
	name = sizeSuffix.ReplaceAllString(name, "")
	for _, p := range []string{"__sync_", "__atomic_", "__c11_atomic_"} {
		if op, ok := strings.CutPrefix(name, p); ok {
			op = strings.TrimSuffix(op, "_n")
			if p == "__c11_atomic_" {
				op = strings.TrimSuffix(strings.TrimSuffix(op, "_strong"), "_weak")
			}
			return op, true
		}
	}
	return "", false
}

// isGeneric reports whether a function gets values by their addresses.
func isGeneric(name string) bool {
	return strings.HasPrefix(name, "__atomic_") && !strings.HasSuffix(name, "_n") && !sizeSuffix.MatchString(name)
}

// firstCell is the first member of a struct, of that again where it is one, and its type.
func firstCell(a ir.Expr, t ir.Type) (ir.Expr, ir.Type) {
	for {
		s, ok := t.(*ir.Struct)
		if !ok || len(s.Fields) == 0 || s.Union {
			return a, t
		}
		a, t = ir.FieldAddr{Base: a, S: s, Index: 0}, s.Fields[0].Type
	}
}

// testAndSet sets the first byte at a to 1, and returns whether there was something else
// than 0.
func (l *lowerer) testAndSet(x cc.Node, a ir.Expr, t ir.Type, order ir.Order) ir.Expr {
	it, ok := t.(ir.Int)
	if !ok {
		it = ir.U8
	}
	old := l.temp(it)
	set := ir.IntConst(it, 1)
	if it.Bits == 8 {
		l.emit(&ir.RMW{Base: at(x), Dst: old, Op: "xchg", Addr: a, Val: set, Order: order})
		return ir.Cast{X: ir.Cast{X: ir.Use{Reg: old}, T: ir.Bool{}}, T: ir.U8}
	}
	l.emit(&ir.AtomicBegin{Base: at(x)})
	l.emit(&ir.Load{Base: at(x), Dst: old, Addr: a, Order: order})
	l.emit(&ir.Store{Base: at(x), Addr: a, Val: ir.Binary{Op: "or", X: otherBytes(old), Y: set}, Order: order})
	l.emit(&ir.AtomicEnd{Base: at(x)})
	return ir.Cast{X: ir.Cast{X: ir.Cast{X: ir.Use{Reg: old}, T: ir.U8}, T: ir.Bool{}}, T: ir.U8}
}

// clearFlag sets the first byte at a to 0.
func (l *lowerer) clearFlag(x cc.Node, a ir.Expr, t ir.Type, order ir.Order) {
	it, ok := t.(ir.Int)
	if !ok {
		it = ir.U8
	}
	if it.Bits == 8 {
		l.emit(&ir.Store{Base: at(x), Addr: a, Val: ir.IntConst(it, 0), Order: order})
		return
	}
	old := l.temp(it)
	l.emit(&ir.AtomicBegin{Base: at(x)})
	l.emit(&ir.Load{Base: at(x), Dst: old, Addr: a, Order: order})
	l.emit(&ir.Store{Base: at(x), Addr: a, Val: otherBytes(old), Order: order})
	l.emit(&ir.AtomicEnd{Base: at(x)})
}

// otherBytes is a number whose first byte in memory is 0.
func otherBytes(r *ir.Reg) ir.Expr {
	return ir.Binary{Op: "and", X: ir.Use{Reg: r}, Y: ir.IntConst(r.Type.(ir.Int), ^int64(0xff))}
}

// extremum is fetch_max or fetch_min: there is no such instruction, a section that reads
// and writes.
func (l *lowerer) extremum(x cc.Node, op string, a ir.Expr, t ir.Type, v ir.Expr, order ir.Order) ir.Expr {
	old := l.temp(t)
	less := "lt"
	if op == "fetch_max" {
		less = "gt"
	}
	l.emit(&ir.AtomicBegin{Base: at(x)})
	l.emit(&ir.Load{Base: at(x), Dst: old, Addr: a, Order: order})
	kept := ir.Select{C: ir.Binary{Op: less, X: ir.Use{Reg: old}, Y: v}, X: ir.Use{Reg: old}, Y: v}
	l.emit(&ir.Store{Base: at(x), Addr: a, Val: kept, Order: order})
	l.emit(&ir.AtomicEnd{Base: at(x)})
	return ir.Use{Reg: old}
}
