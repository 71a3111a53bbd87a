package report

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v2/sarif"

	"whoop/diag"
	"whoop/ir"
)

// SARIF rule names.
const (
	ruleRace    = diag.DataRace
	ruleUnknown = "undecided-pair"
)

// operationRules are the rules of races between operations that Go wants ordered; they
// are listed where they are broken.
var operationRules = [][2]string{
	{diag.SendClose, "A channel may be closed while something is sent to it."},
	{diag.CloseClose, "A channel may be closed twice."},
	{diag.AddWait, "A WaitGroup that counts nothing may be added to while it is waited for."},
	{diag.WaitReuse, "A WaitGroup may be used again before another Wait of the last round has returned."},
}

// SARIF prints the races as SARIF 2.1.0 results, one for each field: the first access of
// the most telling race is the location, the second a related one, each with a thread
// flow that leads from its entry point to it; the places of the other races are further
// related locations. Undecided pairs are results of level "note". What is accepted is
// there with a suppression.
func SARIF(w io.Writer, r *diag.Report) error {
	doc, err := sarif.New(sarif.Version210)
	if err != nil {
		return err
	}
	run := sarif.NewRun(*sarif.NewSimpleTool("whoop"))
	run.Tool.Driver.WithVersion(r.Version)
	run.AddRule(ruleRace).WithDescription("Two entry points may access the same memory at the same time, one of them writing, with no lock in common.")
	run.AddRule(ruleUnknown).WithDescription("A pair of entry points could be neither proved race-free nor shown to race.")
	for _, k := range operationRules {
		if slices.ContainsFunc(r.Races, func(x diag.Race) bool { return x.Kind == k[0] }) {
			run.AddRule(k[0]).WithDescription(k[1])
		}
	}
	run.Results = []*sarif.Result{} // the schema wants an array, not null
	for _, g := range groupRaces(r) {
		run.AddResult(raceResult(g))
	}
	addFindings(run, r)
	addAccepted(run, r.Accepted)
	byName := map[string]*ir.Entry{}
	for _, e := range r.Entries {
		byName[e.Name] = e
	}
	for _, p := range r.Pairs {
		if p.Verdict == diag.Unknown {
			run.AddResult(unknownResult(p, byName[p.First]))
		}
	}
	run.AddInvocations(invocation(r))
	doc.AddRun(run)
	var b bytes.Buffer
	if err := doc.PrettyWrite(&b); err != nil {
		return err
	}
	_, err = w.Write(unset.ReplaceAll(b.Bytes(), nil))
	return err
}

// unset matches members of suppressions that the library writes although they are not
// set, which the schema forbids; they are never the last ones of their object.
var unset = regexp.MustCompile(`(?m)^\s*"(guid|location)": null,\n`)

// raceResult is the races on one field.
func raceResult(g raceGroup) *sarif.Result {
	x := g.races[0]
	msg := fmt.Sprintf("%s races with %s on %s: %s.", side(x.First), side(x.Second), g.field, x.Why)
	if n := len(g.races) - 1; n > 0 {
		_, k := g.pairs()
		msg += fmt.Sprintf(" %s on it, of %s of entry points.", plural(n, "more race"), plural(k, "pair"))
	}
	if g.guard.Held > 0 {
		msg += fmt.Sprintf(" %s is held at %d of %s.", g.guard.Lock, g.guard.Held, plural(g.guard.Places, "place"))
	}
	if x.Confirmed != nil {
		msg += " An execution shows it."
	}
	related := []*sarif.Location{location(x.Second.Pos, "the other access: "+side(x.Second)).WithId(1)}
	reads, changes := g.places()
	for _, at := range []struct {
		what   string
		places []ir.Pos
	}{{"another race: write", changes}, {"another race: read", reads}} {
		for _, p := range at.places {
			related = append(related, location(p, at.what).WithId(len(related)+1))
		}
	}
	flow := sarif.NewCodeFlow().WithThreadFlows([]*sarif.ThreadFlow{threadFlow(x.First), threadFlow(x.Second)}).
		WithTextMessage("How each of the two threads reaches its access; " + x.Why)
	res := sarif.NewRuleResult(kindOf(x)).WithLevel("error").WithMessage(sarif.NewTextMessage(msg)).
		WithLocations([]*sarif.Location{location(x.First.Pos, side(x.First))}).
		WithRelatedLocations(related).
		WithCodeFlows([]*sarif.CodeFlow{flow})
	res.PropertyBag = *sarif.NewPropertyBag()
	res.Add("region", x.Region)
	res.Add("confirmed", x.Confirmed != nil)
	return res
}

// unknownResult is an undecided pair, at its first entry point.
func unknownResult(p diag.Pair, e *ir.Entry) *sarif.Result {
	res := sarif.NewRuleResult(ruleUnknown).WithLevel("note").
		WithMessage(sarif.NewTextMessage(fmt.Sprintf("%s and %s: undecided: %s", p.First, p.Second, p.Reason)))
	if e != nil && e.Pos.File != "" {
		res.AddLocation(location(e.Pos, e.Name))
	}
	return res
}

// side describes an access in one phrase.
func side(a diag.Access) string {
	locks := "holding no locks"
	if len(a.Locks) > 0 {
		locks = "holding " + strings.Join(a.Locks, ", ")
	}
	return fmt.Sprintf("%s in %s (entry point %s, %s)", a.Kind, a.Function, a.Entry, locks)
}

// threadFlow leads from the entry point over its calls to the access.
func threadFlow(a diag.Access) *sarif.ThreadFlow {
	tf := sarif.NewThreadFlow().WithID(a.Entry).WithTextMessage(a.Entry)
	tf.Locations = []*sarif.ThreadFlowLocation{}
	for i, f := range a.Calls {
		tf.AddLocation(sarif.NewThreadFlowLocation().WithLocation(location(f.Pos, "calls "+f.Function)).WithNestingLevel(i))
	}
	tf.AddLocation(sarif.NewThreadFlowLocation().WithLocation(location(a.Pos, side(a))).WithNestingLevel(len(a.Calls)).WithImportance("essential"))
	return tf
}

// location is a place with a message; places without a line have no region.
func location(p ir.Pos, msg string) *sarif.Location {
	loc := sarif.NewLocation().WithMessage(sarif.NewTextMessage(msg))
	if p.File == "" {
		return loc
	}
	pl := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewArtifactLocation().WithUri(fileURI(p.File)))
	if p.Line > 0 {
		reg := sarif.NewRegion().WithStartLine(p.Line)
		if p.Col > 0 {
			reg.WithStartColumn(p.Col)
		}
		pl.WithRegion(reg)
	}
	return loc.WithPhysicalLocation(pl)
}

// fileURI is a file's name as a relative or file: URI.
func fileURI(name string) string {
	u := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}

// invocation carries the assumptions as notifications of the tool.
func invocation(r *diag.Report) *sarif.Invocation {
	inv := sarif.NewInvocation().WithExecutionSuccess(true).WithExitCode(r.ExitStatus())
	for _, a := range r.Assumptions {
		n := sarif.NewNotification().WithLevel("note").WithTextMessage("assumption (" + a.Kind + "): " + a.Text)
		if a.Pos.File != "" {
			n.WithLocations([]*sarif.Location{location(a.Pos, a.Kind)})
		}
		inv.AddTToolExecutionNotification(n)
	}
	if len(r.Pairs) == 0 || len(r.Looked.Left) > 0 {
		inv.AddTToolExecutionNotification(sarif.NewNotification().WithLevel("note").WithTextMessage(string(r.Verdict) + ": " + summary(r)))
	}
	return inv
}
