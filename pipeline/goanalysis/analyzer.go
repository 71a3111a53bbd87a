package goanalysis

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"whoop/diag"
	"whoop/frontend/golang"
	"whoop/frontend/golang/lockuse"
	"whoop/frontend/golang/program"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/report/accept"
)

// doc is what "whoop-vet help whoop" prints; its first line is the summary.
const doc = `report data races between goroutines

The goroutines of a program, or the methods of a library's types that are meant for concurrent use, are compared pair by
pair: two accesses of the same memory, one of them a write, that no lock and no order keeps apart are a race. A comment
//whoop:ignore REASON at the line of one of the accesses, or right above it, takes a race out of the report.

That nothing is reported proves nothing: only one package is looked at. For proofs, see "whoop verify".`

// options are the analyzer's flags.
type options struct {
	undecided, warnings bool
	timeout             time.Duration
}

// Analyzer reports data races. Its flags: undecided reports also what could be neither
// proved nor refuted, warnings also locks that are copied, or held where the program may
// block; timeout bounds the time for a package.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	var o options
	a := &analysis.Analyzer{Name: "whoop", Doc: doc, Run: func(p *analysis.Pass) (any, error) { return nil, run(p, o) }}
	a.Flags.BoolVar(&o.undecided, "undecided", false, "report pairs of entry points that could be neither proved race-free nor shown to race")
	a.Flags.BoolVar(&o.warnings, "warnings", false, "report locks that are copied, or held where the program may block")
	a.Flags.DurationVar(&o.timeout, "timeout", 0, "stop looking at a package after this time; what is not proved by then is undecided (default none)")
	return a
}

// run checks one package.
func run(pass *analysis.Pass, o options) error {
	src := source(pass)
	rep, places, err := verify(src, o)
	if err != nil {
		return err
	}
	if o.warnings {
		rep.AddFindings(lockuse.Find(src)...)
	}
	comments(pass, src).Apply(rep, false)
	r := &reporter{pass, src, places, positions(pass, src)}
	for _, x := range rep.Races {
		r.race(x)
	}
	for _, f := range rep.Findings {
		r.finding(f)
	}
	if o.undecided {
		r.undecided(rep)
	}
	return nil
}

// source builds the SSA form of the package.
func source(pass *analysis.Pass) *program.Source {
	prog := ssa.NewProgram(pass.Fset, program.BuilderMode)
	seen := map[*types.Package]bool{}
	var imports func(ps []*types.Package)
	imports = func(ps []*types.Package) {
		for _, p := range ps {
			if !seen[p] {
				seen[p] = true
				prog.CreatePackage(p, nil, nil, true)
				imports(p.Imports())
			}
		}
	}
	imports(pass.Pkg.Imports())
	p := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	prog.Build()
	return &program.Source{Name: pass.Pkg.Path(), Prog: prog, Packages: []program.Package{{SSA: p, Files: pass.Files, Info: pass.TypesInfo, Given: true}}}
}

// verify proves what can be proved; a package in which nothing runs concurrently has an
// empty report.
func verify(src *program.Source, o options) (*diag.Report, map[ir.Pos]token.Pos, error) {
	low, err := golang.Lower(src, golang.Options{Alone: true})
	if errors.Is(err, golang.ErrNoEntries) {
		return &diag.Report{}, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	if err := ir.Validate(low.Program); err != nil {
		return nil, nil, fmt.Errorf("internal error, please report it: the front end made an invalid program: %w", err)
	}
	rep, err := pipeline.Prove(context.Background(), low.Program, pipeline.Options{Jobs: 1, Timeout: o.timeout})
	return rep, low.Places, err
}

// comments reads the whoop:ignore comments of the package's files.
func comments(pass *analysis.Pass, src *program.Source) *accept.Set {
	var names []string
	full := map[string]string{}
	for _, f := range pass.Files {
		name := pass.Fset.File(f.FileStart).Name()
		short := src.Position(f.FileStart).File
		names, full[short] = append(names, short), name
	}
	return accept.CommentsBy(names, func(name string) ([]byte, error) { return pass.ReadFile(full[name]) })
}

// positions is where the lines of the package's files start, for places that the program
// has no position for.
func positions(pass *analysis.Pass, src *program.Source) map[string]*token.File {
	out := map[string]*token.File{}
	for _, f := range pass.Files {
		out[src.Position(f.FileStart).File] = pass.Fset.File(f.FileStart)
	}
	return out
}

// reporter makes diagnostics.
type reporter struct {
	pass   *analysis.Pass
	src    *program.Source
	places map[ir.Pos]token.Pos
	files  map[string]*token.File
}

// at is the syntax's position for a place, else the package's first file.
func (r *reporter) at(p ir.Pos) token.Pos {
	if x, ok := r.places[p]; ok {
		return x
	}
	if f := r.files[p.File]; f != nil && p.Line >= 1 && p.Line <= f.LineCount() {
		return f.LineStart(p.Line) + token.Pos(max(p.Col-1, 0))
	}
	return r.pass.Files[0].Package
}

func (r *reporter) race(x diag.Race) {
	msg := fmt.Sprintf("data race on %s: %s, and %s at %s; %s", x.Region, side(x.First), side(x.Second), x.Second.Pos, x.Why)
	r.pass.Report(analysis.Diagnostic{Pos: r.at(x.First.Pos), Category: "data-race", Message: msg,
		Related: []analysis.RelatedInformation{{Pos: r.at(x.Second.Pos), Message: "the other access: " + side(x.Second)}}})
}

// side is an access in one phrase.
func side(a diag.Access) string {
	locks := "no locks"
	if len(a.Locks) > 0 {
		locks = strings.Join(a.Locks, ", ")
	}
	return fmt.Sprintf("%s by %s holding %s", a.Kind, a.Entry, locks)
}

func (r *reporter) finding(f diag.Finding) {
	d := analysis.Diagnostic{Pos: r.at(f.Pos), Category: f.Kind, Message: f.Message}
	for _, x := range f.Related {
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: r.at(x.Pos), Message: x.Message})
	}
	r.pass.Report(d)
}

// undecided reports the undecided pairs, each at its first entry point.
func (r *reporter) undecided(rep *diag.Report) {
	at := map[string]ir.Pos{}
	for _, e := range rep.Entries {
		at[e.Name] = e.Pos
	}
	for _, p := range rep.Pairs {
		why := p.Reason
		if p.Verdict != diag.Unknown {
			why = p.Doubt
		}
		if why != "" {
			r.pass.Report(analysis.Diagnostic{Pos: r.at(at[p.First]), Category: "undecided-pair",
				Message: fmt.Sprintf("%s and %s: undecided: %s", p.First, p.Second, why)})
		}
	}
}
