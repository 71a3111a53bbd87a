package alias

import (
	"os"
	"testing"
)

// TestShow prints the facts about the program in the file $WHOOP_WIR.
func TestShow(t *testing.T) {
	file := os.Getenv("WHOOP_WIR")
	if file == "" {
		t.Skip("WHOOP_WIR is not set")
	}
	Analyze(load(t, file), Options{}).Print(os.Stdout)
}
