package c_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/ir"
)

// Whatever a modelled function is given, numbers for addresses, addresses for numbers,
// structs, nothing, the program that is made of it is valid, and no function of it is an
// internal error.
func TestModelsTakeAnything(t *testing.T) {
	src, err := os.ReadFile("../models/data/generated.json")
	if err != nil {
		t.Fatal(err)
	}
	var files []struct{ Funcs []struct{ Names []string } }
	if err := json.Unmarshal(src, &files); err != nil {
		t.Fatal(err)
	}
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("struct pair { int a, b; };\n")
	count := 0
	for _, f := range files {
		for _, fn := range f.Funcs {
			for _, name := range fn.Names {
				for k, arg := range []string{"5", "p", "d", "s", "n", "f"} {
					args := strings.TrimSuffix(strings.Repeat(arg+", ", 7), ", ")
					fmt.Fprintf(&b, "int t%d_%d(int *p, double d, struct pair s, long n, void (*f)(void)) { return (int)(long)%s(%s); }\n", count, k, name, args)
				}
				fmt.Fprintf(&b, "void t%d_6(void) { %s(); }\n", count, name)
				count++
			}
		}
	}
	if count < 100 {
		t.Fatalf("%d functions", count)
	}
	u, err := c.Parse("anything.c", []byte(b.String()), c.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Lower([]*c.Unit{u}, c.NewTypes(""), m, c.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Errorf("%.3000s", err)
	}
	for _, f := range p.Funcs {
		if strings.Contains(f.Unknown, "lowering failed") || strings.Contains(f.Unknown, "internal") {
			t.Errorf("%s: %s", strings.Split(b.String(), "\n")[f.Pos.Line-1], f.Unknown)
		}
	}
}
