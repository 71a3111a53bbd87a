package testscope

import "testing"

func TestShares(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about the shares without -short")
	}
	t.Setenv("WHOOP_TESTS", "")
	t.Setenv("WHOOP_SEED", "")
	if n := Count(3, 70); n != 3 || Fewer(80) != 80 {
		t.Errorf("a share of %d", n)
	}
	if !Every(0, 4) || Every(3, 4) || !Every(4, 4) {
		t.Error("not one of four")
	}
	if !t.Run("skipped", func(t *testing.T) { Long(t, "hours"); t.Error("a long test runs") }) {
		return
	}
	t.Setenv("WHOOP_TESTS", "all")
	t.Setenv("WHOOP_SEED", "20261125")
	if Count(3, 70) != 70 || !Every(3, 4) {
		t.Error("not all")
	}
	if Seed() != 20261125 {
		t.Errorf("seed %d", Seed())
	}
	ran := false
	t.Run("long", func(t *testing.T) { Long(t, "hours"); ran = true })
	if !ran {
		t.Error("a long test is skipped")
	}
}
