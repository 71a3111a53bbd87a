package bmc

import "testing"

func shifted(x int8, u uint16, by uint) (int8, int8, uint16, uint16) {
	return x << by, x >> by, u << by, u >> by
}

// want: none
func TestShifts(t *testing.T) {
	for _, want := range []struct {
		by       uint
		a, b     int8
		up, down uint16
	}{{1, -6, -2, 0x0246, 0x4091}, {7, -128, -1, 0x9180, 0x0102}, {16, 0, -1, 0, 0}, {1 << 40, 0, -1, 0, 0}} {
		if a, b, up, down := shifted(-3, 0x8123, want.by); a != want.a || b != want.b || up != want.up || down != want.down {
			t.Fatal("another number")
		}
	}
}

// want: panic 0
func TestNegativeShift(t *testing.T) {
	n := []int{-1}
	_ = 1 << n[0]
}

type size struct{ w, h uint32 }

// want: none
func TestLargeNumbersInStructs(t *testing.T) {
	a, b := size{1 << 31, 2}, size{1<<32 - 1, 2}
	if a == b || a != (size{1 << 31, 2}) {
		t.Error("other sizes")
	}
}
