// Package testscope says how much of a long test runs. make test runs a share of each,
// always the same one; make test-all sets WHOOP_TESTS=all, and everything runs. With go
// test's -short, which is for the race detector, an eighth of the share runs. No test
// reads these itself.
package testscope

import (
	"os"
	"strconv"
	"testing"
)

// less is what -short divides shares by.
const less = 8

// All reports whether long tests run as a whole.
func All() bool { return os.Getenv("WHOOP_TESTS") == "all" }

// Count is how many random programs, or other cases that are made, a test goes through: a
// share of them, or all. It may be the default of a flag.
func Count(share, all int) int {
	if All() {
		return all
	}
	return share
}

// Fewer is a number of cases, or under -short an eighth of it, and one at least.
func Fewer(n int) int {
	if testing.Short() {
		return max(n/less, 1)
	}
	return n
}

// Every reports whether case i of a list runs where one of n does: case 0, case n, and so
// on. All cases run where tests run as a whole.
func Every(i, n int) bool {
	switch {
	case All():
		return true
	case testing.Short():
		n *= less
	}
	return i%n == 0
}

// Long skips a test or subtest that runs only where tests run as a whole. why says what
// it costs, or which cheaper test covers the same rule.
func Long(t testing.TB, why string) {
	t.Helper()
	if !All() {
		t.Skip("only with WHOOP_TESTS=all (make test-all): " + why)
	}
}

// Brief skips a test under -short.
func Brief(t testing.TB, why string) {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short: " + why)
	}
}

// Seed is that of a test's first random program: 1, or WHOOP_SEED, which make test-all
// takes from the date. Tests print the seeds that they use.
func Seed() int64 {
	if n, err := strconv.ParseInt(os.Getenv("WHOOP_SEED"), 10, 64); err == nil {
		return n
	}
	return 1
}
