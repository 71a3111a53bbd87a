package c

import (
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// cookie reports whether a parameter of a function gets something to be handed back: a
// pointer to void in a prototype without a size. Functions of the kernel know nothing of
// the type of what is passed there (rfkill_alloc, "driver data";
// driver-api/rfkill.rst), so that they look into it only where its type, or that of a
// member which begins there, occurs in some prototype.
func (l *lowerer) cookie(d *cc.Declarator, i int) bool {
	if d == nil {
		return false
	}
	ft, ok := d.Type().(*cc.FunctionType)
	if !ok || i >= len(ft.Parameters()) {
		return false
	}
	p, ok := ft.Parameters()[i].Type().Decay().(*cc.PointerType)
	if !ok || p.Elem().Kind() != cc.Void {
		return false
	}
	for _, q := range ft.Parameters() {
		if l.measures(q) {
			return false
		}
	}
	return true
}

// measures reports whether a parameter may be the size of what another one points to.
func (l *lowerer) measures(q *cc.Parameter) bool {
	t := q.Type()
	if t.Kind() == cc.Enum || t.Kind() == cc.Void || !ir.IsInt(l.types.Type(t.Decay())) {
		return false
	}
	name := strings.ToLower(q.Name())
	if name == "" || name == "n" {
		return true
	}
	for _, w := range []string{"size", "len", "count", "bytes", "num", "nr", "sz", "cnt", "words"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
