package c

import (
	"strings"

	"whoop/frontend/models"
)

// # Calls that may fail
//
// A model says how a call fails where that is part of its use: what is tried, or waited for
// up to some time. Other failures (arguments that are not valid, no memory, a thread that
// cannot be joined, a lock that its holder takes again and that checks for it) are left
// out: what a program does then is not looked at, and an assumption says so where the
// program does something. Of the failures that are part of the use the model may know one
// result only.
//
// The handler of a signal ends a wait for a semaphore, which has got nothing then. That is
// followed in programs that set handlers, by functions other than signal: after that one,
// the wait goes on (as in glibc and on BSD).

// interruptible makes a wait one that may end without success, where a signal may end it.
func (a *apiCall) interruptible() {
	if a.m.Interrupted == 0 || !a.ending.handles {
		return
	}
	m := *a.m
	m.Success, m.Ret, m.Failure = "zero", "success", a.m.Interrupted
	a.m = &m
}

// failing records what is assumed of a call's failure.
func (a *apiCall) failing() {
	if !a.hasMain() || strings.HasPrefix(a.name, "__") {
		return
	}
	used := a.ignored != a.x
	switch op := a.m.Op; {
	case op == models.OpJoin && (used || a.ending.detaches), used && a.m.Ret == "zero":
		a.warn("failing-call", a.x, a.name, "%s does not fail", a.name)
	case used && a.m.Failure != 0 && (op == models.OpLock || op == models.OpCondWait):
		a.warn("failing-call", a.x, a.name, "where %s fails, its result is %d", a.name, a.m.Failure)
	}
}
