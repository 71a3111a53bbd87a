package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// pauses is the file that a stretched copy has besides the program's. The generator is
// the runtime's: one with a lock would order the goroutines that use it, and the detector
// would see nothing.
const pauses = `package main

import (
	"math/rand/v2"
	"time"
)

func pauseHere() {
	if rand.IntN(5) == 0 {
		time.Sleep(time.Duration(rand.IntN(12000)) * time.Microsecond)
	}
}
`

// stretched makes a copy of a program in the directory, in which a statement is now and
// then preceded by a pause of up to 12 ms, and waiting for two seconds is waiting for two
// milliseconds, and sleeping for 50 milliseconds for 5. What happens in rare schedules of
// the program happens often there, on the same lines, and nothing is ordered that was
// not.
func (p program) stretched(dir string) (program, error) {
	text, err := os.ReadFile(p.file)
	if err != nil {
		return p, err
	}
	if text, err = stretch(text); err != nil {
		return p, err
	}
	p.dir, p.file = dir, filepath.Join(dir, filepath.Base(p.file))
	for name, content := range map[string]string{p.file: string(text), filepath.Join(dir, "pauses.go"): pauses,
		filepath.Join(dir, "go.mod"): "module stretched\n\ngo 1.26\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			return p, err
		}
	}
	return p, nil
}

// stretch puts a call before each statement, on the statement's line.
func stretch(text []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var at []int
	add := func(list []ast.Stmt) {
		for _, s := range list {
			at = append(at, fset.Position(s.Pos()).Offset)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SwitchStmt:
			inspectCases(n.Body, add)
		case *ast.TypeSwitchStmt:
			inspectCases(n.Body, add)
		case *ast.SelectStmt:
			inspectCases(n.Body, add)
		case *ast.BlockStmt:
			if !hasCases(n) {
				add(n.List)
			}
		}
		return true
	})
	sort.Ints(at)
	var out bytes.Buffer
	from := 0
	for _, o := range at {
		out.Write(text[from:o])
		out.WriteString("pauseHere(); ")
		from = o
	}
	out.Write(text[from:])
	short := strings.NewReplacer("2 * time.Second", "2 * time.Millisecond", "2*time.Second", "2*time.Millisecond",
		"50 * time.Millisecond", "5 * time.Millisecond")
	return []byte(short.Replace(out.String())), nil
}

// inspectCases hands over the statements of each case.
func inspectCases(body *ast.BlockStmt, add func([]ast.Stmt)) {
	for _, c := range body.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			add(c.Body)
		case *ast.CommClause:
			add(c.Body)
		}
	}
}

// hasCases tells whether a block is the body of a switch or select statement.
func hasCases(b *ast.BlockStmt) bool {
	for _, s := range b.List {
		switch s.(type) {
		case *ast.CaseClause, *ast.CommClause:
			return true
		}
	}
	return false
}
