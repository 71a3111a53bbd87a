package retained

import (
	"go/types"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// Keeper says what objects of a library type keep.
type Keeper struct {
	Ifaces []types.Type // the interfaces of the values that it is given
	Funcs  []types.Type // the function types
	Slices []types.Type // of a bytes.Reader: what it reads
	// pointers to library structs whose fields the program sets: those are read, and what
	// is in them is called
	Fields []types.Type
	Data   []types.Type // what models say is kept: see funcModel.Keeps
}

// HandsOnKept reports whether results of a library function may keep what the objects do
// that it is given.
func (x *Facts) HandsOnKept(sig *types.Signature) bool {
	for _, t := range form.ComponentTypes(sig.Results()) {
		if it, ok := t.Underlying().(*types.Interface); ok && library.MayWrap(it) && library.Takes(it) && !x.Wrapped.Empty() {
			return true
		}
		if n := x.KeepingType(t); n != nil && !x.Keepers[n].Empty() {
			return true
		}
	}
	return false
}
