package absint

import (
	"context"
	"fmt"
	"os"
	"testing"

	"whoop/ir"
)

func TestDump(t *testing.T) {
	name := os.Getenv("DUMP")
	if name == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(name)
	p, err := ir.Parse(name, src)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Analyze(context.Background(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if v, ok := r.loads[in]; ok {
					fmt.Println(f.Name, in.At().Line, in.(*ir.Load).Dst.Name, v)
				}
				if r.MayFail[in] {
					fmt.Println("FAIL", f.Name, in.At())
				}
			}
		}
	}
}
