package benchmarks

import (
	"context"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/pipeline"
)

// TestDriversAgree: whether a pair of a driver's entry points has a bug does not depend
// on what is left out because it was proved. What verify proves race-free has no race
// where nothing was proved, and what races there races where as much as possible is left
// out.
func TestDriversAgree(t *testing.T) {
	for _, name := range []string{"gpio_char_racy", "hotkeys_racy", "ram_block_racy", "rtc_clock_racy", "sensor_racy", "usb_char_racy", "usb_skel_racy"} {
		t.Run(name, func(t *testing.T) {
			if !cheapDrivers[name] {
				testscope.Long(t, "as the other drivers, with more pairs")
			}
			p := driver(t, name)
			answers := map[string]map[string]bool{}
			for _, y := range pipeline.Yields {
				rep, err := pipeline.BMC(context.Background(), p.Path,
					pipeline.BMCOptions{Options: options(p, pipeline.Options{Jobs: 2}),
						CSB: 2, Unroll: 2, Yields: y, Before: -1})
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range rep.Runs {
					if r.Answer == diag.Undecided {
						t.Errorf("%s: %v: %s", y, r.Threads, r.Reason)
					}
					k := strings.Join(r.Threads, " | ")
					if answers[k] == nil {
						answers[k] = map[string]bool{}
					}
					answers[k][y] = r.Answer == diag.HasBug
				}
			}
			for k, by := range answers {
				for _, y := range pipeline.Yields {
					if by[y] != by["mr"] {
						t.Errorf("%s: a bug with %s: %v; with mr: %v", k, y, by[y], by["mr"])
					}
				}
			}
		})
	}
}
