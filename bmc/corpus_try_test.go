package bmc_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whoop/bmc"
	"whoop/pipeline"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

func TestTryCorpus(t *testing.T) {
	pat := os.Getenv("CORPUS")
	if pat == "" {
		t.Skip()
	}
	fs, _ := filepath.Glob(pat)
	for _, f := range fs {
		p, err := pipeline.Load(f, pipeline.Options{})
		if err != nil {
			fmt.Println(f, err)
			continue
		}
		src, _ := os.ReadFile(f)
		want := map[int]bool{}
		for i, l := range strings.Split(string(src), "\n") {
			if strings.Contains(l, "RACE!") {
				want[i+1] = true
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), 8*time.Second)
		start := time.Now()
		res, err := bmc.Check(ctx, p, bmc.Harness{Roots: []bmc.Root{{Func: p.FuncByName("main"), Name: "main"}}, Main: true}, bmc.Options{CSB: 2}, func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{Memory: 2000}) })
		cancel()
		if err != nil {
			fmt.Println(f, err)
			continue
		}
		got := map[int]bool{}
		kinds := map[string]int{}
		for _, b := range res.Bugs {
			kinds[b.Kind]++
			if b.Kind == "race" {
				got[b.At.Line], got[b.Other.Line] = true, true
			}
		}
		var bad []string
		for l := range want {
			if !got[l] {
				bad = append(bad, fmt.Sprintf("MISSED %d", l))
			}
		}
		for l := range got {
			if !want[l] {
				bad = append(bad, fmt.Sprintf("EXTRA %d", l))
			}
		}
		fmt.Printf("%-60s %v %v csb %d rounds %d %v/%v/%v %.1fs %s %v %v limits %d\n", f[strings.Index(f, "races/")+6:], bad, kinds, res.CSB, res.Rounds, res.AllRounds, res.Exhaustive, res.Unrolled, time.Since(start).Seconds(), res.Reason, res.Unconfirmed, res.Stats.Positions, len(res.Limits))
		if os.Getenv("V") != "" {
			for _, l := range res.Limits {
				fmt.Println("    ", l)
			}
		}
	}
}
