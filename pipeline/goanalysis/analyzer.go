package goanalysis

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"time"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"whoop/diag"
	"whoop/frontend/golang"
	"whoop/frontend/golang/lockuse"
	"whoop/frontend/golang/program"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/report"
	"whoop/report/accept"
)

// doc is what "whoop-vet help whoop" prints; its first line is the summary.
const doc = `report data races between goroutines

The goroutines of a program, or the methods of a library's types that are meant for concurrent use, are compared pair by
pair: two accesses of the same memory, one of them a write, that no lock and no order keeps apart are a race. A comment
//whoop:ignore REASON at the line of one of the accesses, or right above it, takes a race out of the report.

Packages of the same module are looked at with their source, those of others are known by their types. That nothing is
reported proves nothing: races are left out where it is not known that both accesses are of one object, unless only one
of them is under a lock, or only one is atomic. For proofs, see "whoop verify".`

// options are the analyzer's flags.
type options struct {
	all, undecided, warnings bool
	timeout                  time.Duration
}

// defaultTimeout bounds the time for a package.
const defaultTimeout = time.Minute

// Analyzer reports data races. Its flags: all reports also those that are less likely
// real (sure.go), undecided reports also what could be neither
// proved nor refuted, warnings also locks that are copied, or held where the program may
// block; timeout bounds the time for a package.
var Analyzer = newAnalyzer()

func newAnalyzer() *analysis.Analyzer {
	var o options
	a := &analysis.Analyzer{Name: "whoop", Doc: doc, FactTypes: []analysis.Fact{new(Fact)},
		Run: func(p *analysis.Pass) (any, error) { return nil, run(p, o) }}
	a.Flags.BoolVar(&o.all, "all", false, "report all races that \"whoop verify\" would, not only those that are likely real")
	a.Flags.BoolVar(&o.undecided, "undecided", false, "report pairs of entry points that could be neither proved race-free nor shown to race")
	a.Flags.BoolVar(&o.warnings, "warnings", false, "report locks that are copied, or held where the program may block")
	a.Flags.DurationVar(&o.timeout, "timeout", defaultTimeout, "stop looking at a package after this time; what is not proved by then is undecided")
	return a
}

// run checks one package, and exports its fact.
func run(pass *analysis.Pass, o options) error {
	if len(nonTests(pass)) == 0 || !own(pass) { // drivers ask for facts of all dependencies
		return nil
	}
	fact, err := gather(pass)
	if err != nil {
		return err
	}
	if internal(pass.Pkg) && fact != nil {
		pass.ExportPackageFact(fact)
		return nil
	}
	c := newCheck(pass, fact)
	rep, places, err := verify(c.src, o)
	if err != nil {
		return err
	}
	if o.warnings {
		rep.AddFindings(lockuse.Find(c.src)...)
	}
	accept.CommentsBy(c.names(), c.read).Apply(rep, false)
	r := &reporter{pass, places, c.file, map[string]ir.Pos{}, map[string]bool{}}
	for _, e := range rep.Entries {
		r.starts[e.Name] = e.Pos
	}
	known := map[string]bool{}
	if fact != nil {
		for _, x := range fact.Races {
			known[x] = true
		}
	}
	likely := newLikelihood(r, c.src, rep)
	for _, x := range rep.Races {
		if !o.all && !likely.real(x) {
			continue
		}
		key := r.key(x)
		if known[key] {
			continue
		}
		known[key] = true
		r.race(x, likely.locked)
		if fact != nil {
			fact.Races = append(fact.Races, key)
		}
	}
	for _, f := range rep.Findings {
		r.finding(f)
	}
	if o.undecided {
		r.undecided(rep)
	}
	if fact != nil {
		slices.Sort(fact.Races)
		pass.ExportPackageFact(fact)
	}
	return nil
}

// check is what a package is checked with.
type check struct {
	pass *analysis.Pass
	src  *program.Source
	text map[string][]byte      // of the packages of the module
	file map[string]*token.File // by names as reports have them
}

// newCheck builds the program: together with the packages of its module, or where there
// are none, or they cannot be read again, by itself.
func newCheck(pass *analysis.Pass, f *Fact) *check {
	c := &check{pass: pass, file: map[string]*token.File{}}
	if f != nil && (len(f.Packages) > 1 || len(nonTests(pass)) < len(pass.Files)) {
		if u, src, err := together(pass, f); err == nil {
			c.src, c.text = src, u.text
		}
	}
	if c.src == nil {
		c.src = alone(pass)
	}
	for _, p := range c.src.Packages {
		for _, f := range p.Files {
			c.file[c.src.Position(f.FileStart).File] = pass.Fset.File(f.FileStart)
		}
	}
	return c
}

// names are the files of the program, as reports have them.
func (c *check) names() []string { return slices.Sorted(maps.Keys(c.file)) }

// read is the text of a file.
func (c *check) read(name string) ([]byte, error) {
	full := c.file[name].Name()
	if text, ok := c.text[full]; ok {
		return text, nil
	}
	return c.pass.ReadFile(full)
}

// alone builds the SSA form of the package; all others are known by their types.
func alone(pass *analysis.Pass) *program.Source {
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

// reporter makes diagnostics.
type reporter struct {
	pass   *analysis.Pass
	places map[ir.Pos]token.Pos
	files  map[string]*token.File
	starts map[string]ir.Pos // of entry points
	told   map[string]bool   // what is reported
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

// here reports whether a place is in the package that is checked.
func (r *reporter) here(p token.Pos) bool {
	return slices.ContainsFunc(r.pass.Files, func(f *ast.File) bool { return f.FileStart <= p && p < f.FileEnd })
}

// key is the places of the two accesses of a race.
func (r *reporter) key(x diag.Race) string {
	a, b := r.pass.Fset.Position(r.at(x.First.Pos)).String(), r.pass.Fset.Position(r.at(x.Second.Pos)).String()
	return min(a, b) + " " + max(a, b)
}

// race reports a race at an access in the package, the one without a lock where there is
// one. A race between accesses of other packages is reported where this one starts what
// makes them. At each place the first race on a field is reported, or the first of all
// where the accesses are elsewhere.
func (r *reporter) race(x diag.Race, locked func(diag.Access) bool) {
	first, second := x.First, x.Second
	if locked(first) && !locked(second) {
		first, second = second, first
	}
	if !r.here(r.at(first.Pos)) && r.here(r.at(second.Pos)) {
		first, second = second, first
	}
	d := analysis.Diagnostic{Pos: r.at(first.Pos), Category: "data-race", Message: fmt.Sprintf("data race on %s: %s, and %s at %s; %s",
		report.Plain(x.Region), side(first), side(second), second.Pos, x.Why)}
	about := x.Field
	if !r.here(d.Pos) {
		about = ""
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: d.Pos, Message: "one access: " + side(first)})
		for _, e := range []string{first.Entry, second.Entry} {
			if start := r.at(r.starts[e]); !r.here(d.Pos) && r.here(start) {
				d.Pos = start
			}
		}
		if !r.here(d.Pos) {
			d.Pos = r.pass.Files[0].Package
		}
		d.Message = fmt.Sprintf("data race on %s: %s at %s, and %s at %s; %s",
			report.Plain(x.Region), side(first), first.Pos, side(second), second.Pos, x.Why)
	}
	key := fmt.Sprint(d.Pos, about)
	if r.told[key] {
		return
	}
	r.told[key] = true
	d.Related = append(d.Related, analysis.RelatedInformation{Pos: r.at(second.Pos), Message: "the other access: " + side(second)})
	r.pass.Report(d)
}

// side is an access in one phrase.
func side(a diag.Access) string {
	return fmt.Sprintf("%s by %s holding %s", a.Kind, a.Entry, report.Holding(a))
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
	for _, p := range rep.Pairs {
		why := p.Reason
		if p.Verdict != diag.Unknown {
			why = p.Doubt
		}
		if why != "" {
			r.pass.Report(analysis.Diagnostic{Pos: r.at(r.starts[p.First]), Category: "undecided-pair",
				Message: fmt.Sprintf("%s and %s: undecided: %s", p.First, p.Second, why)})
		}
	}
}
