package benchmarks

import (
	"context"
	"path/filepath"
	"slices"
	"sort"
	"testing"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/pipeline"
	"whoop/report"
)

// unseen are lines of drivers that race, and of which bmc shows no race, with the reason.
var unseen = map[string]map[int]string{
	"nfc_hci_racy":     {236: "the chip must have failed three times before: TestBefore"},
	"term_screen_racy": {113: "a screen must have been filled, line by line; the same unlocked reads race with line 110, which is shown"},
}

// cheapDrivers are those that bmc goes through in seconds; the others run in make
// test-all. Between them they have each kind of entry point, lock and device that the
// others have.
var cheapDrivers = map[string]bool{"gpio_char": true, "gpio_char_racy": true, "hotkeys": true, "hotkeys_racy": true,
	"mq_ramdisk": true, "mq_ramdisk_racy": true, "nfc_reader": true, "nfc_reader_racy": true, "ram_block": true,
	"ram_block_racy": true, "rtc_clock": true, "rtc_clock_racy": true, "sensor": true, "term_screen": true,
	"usb_char": true, "usb_char_racy": true, "watchdog_misc": true, "watchdog_misc_racy": true}

// TestBMCDrivers: bmc shows each race of the drivers, at csb 2, at a line that is marked
// so, and no bug in a repaired one. Every execution was replayed before it came here.
func TestBMCDrivers(t *testing.T) {
	for _, p := range corpus(t, "drivers/*.c") {
		name := filepath.Base(p.Name)
		t.Run(name, func(t *testing.T) {
			if !cheapDrivers[name] {
				testscope.Long(t, "as others of the drivers, with more pairs")
			}
			t.Parallel()
			want, err := p.Marks()
			if err != nil {
				t.Fatal(err)
			}
			rep, err := pipeline.BMC(context.Background(), p.Path,
				pipeline.BMCOptions{Options: options(p, pipeline.Options{Jobs: 1}), CSB: 2,
					Unroll: 2, Yields: "mr"})
			if err != nil {
				t.Fatal(err)
			}
			shown := map[int]bool{}
			for _, r := range rep.Runs {
				if r.Answer == diag.Undecided {
					t.Errorf("%v: %s", r.Threads, r.Reason)
				}
				for _, b := range r.Bugs {
					if !p.Racy() {
						t.Errorf("a repaired driver has a bug:\n%s", report.Interleaving(b.Execution))
					}
					for _, at := range []diag.BugPlace{b.Place, b.Other} {
						shown[at.Pos.Line] = true
						if e := want[at.Pos.Line]; b.Kind == "race" && e != "RACE!" && e != "RACE" {
							t.Errorf("a race at line %d, which is marked %q:\n%s",
								at.Pos.Line, e, report.Interleaving(b.Execution))
						}
					}
				}
			}
			var missed []int
			for line, e := range want {
				if e == "RACE!" && !shown[line] && unseen[name][line] == "" {
					missed = append(missed, line)
				}
			}
			if sort.Ints(missed); len(missed) > 0 {
				t.Errorf("no race is shown at lines %v", missed)
			}
			for line, why := range unseen[name] {
				if shown[line] {
					t.Errorf("a race is shown at line %d, which is listed as not shown: %s", line, why)
				}
			}
			if p.Racy() && !slices.ContainsFunc(rep.Runs,
				func(r diag.Run) bool { return r.Answer == diag.HasBug }) {
				t.Error("no bug")
			}
		})
	}
}

// TestBefore: a race behind three failures is shown where the other entry points may have
// run three times before.
func TestBefore(t *testing.T) {
	for before, want := range map[int]bool{1: false, 3: true} {
		p := driver(t, "nfc_hci_racy")
		rep, err := pipeline.BMC(context.Background(), p.Path, pipeline.BMCOptions{
			Options: options(p, pipeline.Options{Jobs: 1,
				Pairs: []string{"chip_recover,chip_check_presence"}}), CSB: 2, Unroll: 2,
			Yields: "mr", Before: before})
		if err != nil {
			t.Fatal(err)
		}
		shown := false
		for _, b := range rep.Runs[0].Bugs {
			shown = shown || b.Kind == "race" && b.Place.Pos.Line == 236
		}
		if shown != want {
			t.Errorf("each other entry point %d times before: a race at line 236 is shown: %v", before, shown)
		}
	}
}
