// Package crash words the panics of broken invariants for users: one line that says what
// broke, and where in our code.
//
//	defer func() {
//		if x := recover(); x != nil {
//			err = crash.Error(x)
//		}
//	}()
package crash

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// shown is how many places of the chain of calls are named.
const shown = 4

// module is what the names of our functions begin with; commands' begin with "main.".
const module = "whoop/"

// broken is the error for a broken invariant.
type broken string

func (b broken) Error() string { return string(b) }

// Error is the error for what recover returned. It must be called by the function that
// recovers. Where that is the error for a panic of another goroutine, which was handed
// on, it stays what it is.
func Error(x any) error {
	if b, ok := x.(broken); ok {
		return b
	}
	return broken(fmt.Sprintf("internal error, please report it with its input: %v%s", x, Place()))
}

// Place says where the panic that is being recovered from was raised, as "
// (alias/solve.go:12, from alias/query.go:40)": the innermost of our functions below it,
// "" where there are none.
func Place() string {
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	var places []string
	for {
		f, more := frames.Next()
		switch ours := strings.HasPrefix(f.Function, module) || strings.HasPrefix(f.Function, "main."); {
		case f.Function == "runtime.gopanic":
			places = nil // raised below this, or raised again
		case ours && len(places) < shown:
			places = append(places, fmt.Sprintf("%s:%d", path.Join(path.Base(path.Dir(f.File)), path.Base(f.File)), f.Line))
		}
		if !more {
			break
		}
	}
	if len(places) == 0 {
		return ""
	}
	return " (" + strings.Join(places, ", from ") + ")"
}
