package crash

import (
	"errors"
	"regexp"
	"testing"
)

// run is the error of a function that panics.
func run(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			err = Error(x)
		}
	}()
	f()
	return nil
}

// again raises what it recovers from once more, as the analyses do with what is not
// theirs.
func again(f func()) {
	defer func() {
		if x := recover(); x != nil {
			panic(x)
		}
	}()
	f()
}

// TestError: the message says what broke and where it was raised, also where it is raised
// again on the way.
func TestError(t *testing.T) {
	var none []int
	index := func() { none[len(none)]++ }
	for name, f := range map[string]func(){
		"index": index,
		"again": func() { again(index) },
		"error": func() { panic(errors.New("index out of range")) },
	} {
		err := run(f)
		if err == nil || !regexp.MustCompile(`^internal error, please report it with its input: .*index out of range.* \(crash/crash_test.go:3\d, from crash/crash_test.go:\d+`).MatchString(err.Error()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	first := run(index)
	if err := run(func() { panic(first) }); err != first {
		t.Errorf("handed on: %v, not %v", err, first)
	}
	if err := run(func() {}); err != nil {
		t.Error(err)
	}
}
