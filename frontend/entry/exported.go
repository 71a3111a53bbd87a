package entry

import (
	"strings"

	"whoop/ir"
)

// Functions that a module exports (EXPORT_SYMBOL) are no entry points. Who calls them, with
// which locks, and from when to when, is said in no table and at no call: taken to run at
// any time they would race with the functions that set their objects up, in each library
// of the kernel; and what a module's own functions call is looked at there. The report
// says how many there are, as an assumption; an ep.yaml makes one of them an entry point.

// exportedPrefix begins the names of the variables that EXPORT_SYMBOL leaves behind, which
// keep the address of the function (include/linux/compiler.h, ___ADDRESSABLE).
const exportedPrefix = "__UNIQUE_ID___addressable_"

// exported notes the functions that only other modules call.
func (x *inferrer) exported() {
	reached := map[*ir.Func]bool{}
	for _, e := range x.p.Entries {
		for f := range x.cg.reachable(e.Func) {
			reached[f] = true
		}
	}
	var names []string
	at := ir.Pos{}
	for _, g := range x.p.Globals {
		if !strings.HasPrefix(g.Name, exportedPrefix) {
			continue
		}
		for _, c := range g.Init {
			if f := direct(c.Value); f != nil && !f.Extern && !reached[f] {
				if len(names) == 0 {
					at = f.Pos
				}
				names = append(names, f.Name)
			}
		}
	}
	if len(names) > 0 {
		x.p.Assume("exported", at, "what other modules call is no entry point, and none of them runs beside those that are: %s", shorten(names))
	}
}
