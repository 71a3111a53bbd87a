package bmc_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"whoop/bmc"
	"whoop/pipeline"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

func TestTry(t *testing.T) {
	path := os.Getenv("TRY")
	if path == "" {
		t.Skip()
	}
	p, err := pipeline.Load(path, pipeline.Options{})
	if err != nil {
		t.Fatal(err)
	}
	csb := 2
	if s := os.Getenv("CSB"); s != "" {
		csb, _ = strconv.Atoi(s)
	}
	main := p.FuncByName("main")
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	start := time.Now()
	res, err := bmc.Check(ctx, p, bmc.Harness{Roots: []bmc.Root{{Func: main, Name: "main"}}, Main: true}, bmc.Options{CSB: csb}, func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{Memory: 2000}) })
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range res.Bugs {
		fmt.Printf("BUG %s %s at %s / %s csb %d schedule %v inputs %v\n", b.Kind, b.Tag, b.At, b.Other, b.CSB, b.Schedule, b.Inputs)
	}
	res.Bugs = nil
	fmt.Printf("%+v\n%v\n", *res, time.Since(start))
}
