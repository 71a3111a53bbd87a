package retained

import (
	"go/types"

	"whoop/frontend/golang/library"
	"whoop/frontend/golang/world"
)

// Facts are what libraries keep of what a program gives them, and call of it.
type Facts struct {
	*world.World
	// LibrarySources has the source of library packages.
	LibrarySources library.Sources
	// Keepers are what objects of library types keep, packageKeeps what packages do, and
	// wrapped what values that wrap others do.
	Keepers      map[*types.Named]*Keeper
	PackageKeeps map[*types.Package]*Keeper
	Wrapped      Keeper
	// SetFields are the fields of library structs that the program sets.
	SetFields map[*types.Named]map[int]bool
	// stateIfaces are interfaces in which there may be objects with state (see
	// mayBeStateful), wrapIfaces those in which there may be wrapping values (see
	// mayHoldWrapped).
	stateIfaces, wrapIfaces []*types.Interface
	users                   []types.Type // see usersTypes; nil: not looked for yet
	oddPrints               *bool        // see printsOtherwise; nil: not looked for yet
	ownCoders               *bool        // see encodes; nil: not looked for yet
	Given                   givenTypes
	leads                   leads // see LeadsToMethods
}

// New are facts of which nothing is found yet.
func New(w *world.World) *Facts {
	return &Facts{World: w, LibrarySources: library.Sources{}}
}
