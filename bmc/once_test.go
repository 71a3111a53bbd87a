package bmc_test

import (
	"os"
	"testing"

	"whoop/ir"
)

// TestOnceOver: what a once control's function has done is over when it returns. An
// execution in which another thread goes on between that and the next step of the thread
// that ran it is found in every encoding, and replays.
func TestOnceOver(t *testing.T) {
	src, err := os.ReadFile("../explore/testdata/once_over.wir")
	if err != nil {
		t.Fatal(err)
	}
	main := `
func main() void {
entry:
  spawn a()                          @21
  call b()                           @22
  return                             @23
}
`
	p, err := ir.Parse("once_over.wir", append(src, main...))
	if err != nil {
		t.Fatal(err)
	}
	for csb := -1; csb <= 2; csb++ {
		if d := differ(t, p, csb); d != "" {
			t.Errorf("csb %d: %s", csb, d)
		}
	}
}
