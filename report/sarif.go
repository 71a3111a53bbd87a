package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"whoop/diag"
	"whoop/ir"
	"whoop/report/accept"
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

// fingerprintKey names the fingerprints of results, with the version of what is hashed.
const fingerprintKey = "whoopKey/v1"

// rootID is what relative paths are relative to: the directory that whoop ran in.
const rootID = "%SRCROOT%"

// Documentation is the address of these documents, for readers of SARIF. Builds of a place
// that has one set it: -ldflags "-X whoop/report.Documentation=https://…".
var Documentation = ""

// sarifRun is the run that is being made.
type sarifRun struct {
	run   *sarif.Run
	rules map[string]int
	src   *sources
	// starts are where entry points begin.
	starts map[string]ir.Pos
}

// SARIF prints the races as SARIF 2.1.0 results, one for each field: the first access of
// the most telling race is the location, the second a related one, each with a thread
// flow that leads from its entry point to it; the places of the other races are further
// related locations. Undecided pairs are results of level "note". What is accepted is
// there with a suppression.
func SARIF(w io.Writer, r *diag.Report) error {
	s := &sarifRun{run: sarif.NewRun(), rules: map[string]int{}, src: newSources(), starts: map[string]ir.Pos{}}
	for _, e := range r.Entries {
		s.starts[e.Name] = e.Pos
	}
	s.run.Tool = sarif.NewTool().WithDriver(sarif.NewToolComponent().WithName("whoop"))
	if Documentation != "" {
		s.run.Tool.Driver.WithInformationURI(Documentation)
	}
	s.run.Tool.Driver.WithVersion(r.Version).WithSemanticVersion(r.Version)
	s.run.WithColumnKind("utf16CodeUnits")
	s.run.WithOriginalUriBaseIds(map[string]sarif.ArtifactLocation{
		rootID: *sarif.NewArtifactLocation().WithDescription(sarif.NewTextMessage("the directory that whoop ran in"))})
	s.rule(ruleRace, "Two entry points may access the same memory at the same time, one of them writing, with no lock in common.", "error", "high")
	s.rule(ruleUnknown, "A pair of entry points could be neither proved race-free nor shown to race.", "note", "low")
	for _, k := range operationRules {
		if slices.ContainsFunc(r.Races, func(x diag.Race) bool { return x.Kind == k[0] }) {
			s.rule(k[0], k[1], "error", "high")
		}
	}
	for _, g := range groupRaces(r) {
		s.run.AddResult(s.raceResult(g))
	}
	s.addFindings(r)
	s.addAccepted(r.Accepted)
	byName := map[string]*ir.Entry{}
	for _, e := range r.Entries {
		byName[e.Name] = e
	}
	for _, p := range r.Pairs {
		if p.Verdict == diag.Unknown {
			s.run.AddResult(s.unknownResult(p, byName[p.First]))
		}
	}
	for _, res := range s.run.Results {
		if len(res.Locations) == 0 { // readers want to show it somewhere
			first, _, _ := strings.Cut(r.Input, " ")
			res.AddLocation(s.location(ir.Pos{File: first}, r.Input))
		}
	}
	s.run.AddInvocation(s.invocation(r))
	doc := sarif.NewReport()
	doc.AddRun(s.run)
	return writeSARIF(w, doc)
}

// writeSARIF writes a document without members that say what is so without them: empty
// arrays, and indices of -1.
func writeSARIF(w io.Writer, doc *sarif.Report) error {
	b, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	var any map[string]any
	if err := json.Unmarshal(b, &any); err != nil {
		return err
	}
	plainMembers(any)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(any)
}

func plainMembers(v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			plainMembers(x)
		}
	case map[string]any:
		for k, x := range v {
			list, isList := x.([]any)
			n, isNumber := x.(float64)
			bag, isBag := x.(map[string]any)
			if x == nil || isList && len(list) == 0 && k != "results" || isBag && len(bag) == 0 || isNumber && n == -1 {
				delete(v, k)
				continue
			}
			plainMembers(x)
		}
	}
}

// rule describes a kind of results. level is that of its results, precision how often
// they are right, as code scanning asks for it.
func (s *sarifRun) rule(id, text, level, precision string) {
	if _, ok := s.rules[id]; ok {
		return
	}
	s.rules[id] = len(s.rules)
	message := func(t string) *sarif.MultiformatMessageString { return sarif.NewMultiformatMessageString().WithText(t) }
	help := text + " A report shows both accesses, the locks held at each, and how they are reached. A comment `//whoop:ignore REASON` at an access takes it out of the report."
	short, _, _ := strings.Cut(text, ": ")
	severity := map[string]string{"error": "error", "warning": "warning", "note": "recommendation"}[level]
	props := sarif.NewPropertyBag()
	props.Add("precision", precision)
	props.Add("problem.severity", severity)
	props.WithTags([]string{"concurrency", "correctness"})
	r := sarif.NewReportingDescriptor().WithID(id).WithName(ruleName(id)).
		WithShortDescription(message(strings.TrimSuffix(short, ".") + ".")).WithFullDescription(message(text)).
		WithHelp(message(help).WithMarkdown(help)).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(level)).WithProperties(props)
	if Documentation != "" {
		r.WithHelpURI(Documentation)
	}
	s.run.Tool.Driver.AddRule(r)
}

// ruleName is a rule's name as the format wants it: DataRace.
func ruleName(id string) string {
	var b strings.Builder
	for _, w := range strings.Split(id, "-") {
		if w != "" {
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
	}
	return b.String()
}

// result is a result without places.
func (s *sarifRun) result(rule, level, msg, fingerprint string) *sarif.Result {
	res := sarif.NewResult().WithRuleID(rule).WithLevel(level).WithMessage(sarif.NewTextMessage(msg)).
		WithPartialFingerprints(map[string]string{fingerprintKey: fingerprint})
	if i, ok := s.rules[rule]; ok {
		res.WithRuleIndex(i)
	}
	return res
}

// raceResult is the races on one field.
func (s *sarifRun) raceResult(g raceGroup) *sarif.Result {
	x := g.races[0]
	msg := fmt.Sprintf("%s races with [%s](1) on %s: %s.", side(x.First), side(x.Second), plainField(g.field), x.Why)
	if n := len(g.races) - 1; n > 0 {
		_, k := g.pairs()
		msg += fmt.Sprintf(" %s on it, of %s of entry points.", plural(n, "more race"), plural(k, "pair"))
	}
	if lock := readLock(x); lock != "" {
		msg += fmt.Sprintf(" Both hold %s for reading only.", lock)
	}
	if g.guard.Held > 0 && g.guard.Held < g.guard.Places {
		msg += fmt.Sprintf(" %s is held at %d of %s.", plainField(g.guard.Lock), g.guard.Held, plural(g.guard.Places, "place"))
	}
	if x.Confirmed != nil {
		msg += " An execution shows it."
	}
	if _, known := s.rules[kindOf(x)]; !known {
		s.rule(kindOf(x), "Two operations are not ordered that have to be.", "error", "high")
	}
	res := s.result(kindOf(x), "error", msg, accept.RaceFingerprint(x)).
		AddLocation(s.location(x.First.Pos, side(x.First))).
		AddRelatedLocation(s.location(x.Second.Pos, "the other access: "+side(x.Second)).WithID(1))
	n := 1
	reads, changes := g.places()
	for _, at := range []struct {
		what   string
		places []ir.Pos
	}{{"another race: write", changes}, {"another race: read", reads}} {
		for _, p := range at.places {
			n++
			res.AddRelatedLocation(s.location(p, at.what).WithID(n))
		}
	}
	res.AddCodeFlow(sarif.NewCodeFlow().WithThreadFlows(s.threadFlows(x)).
		WithMessage(sarif.NewTextMessage("How each of the two threads reaches its access; " + x.Why)))
	if x.Confirmed != nil && x.Confirmed.Execution != nil && len(x.Confirmed.Execution.Steps) > 0 {
		res.AddCodeFlow(s.executionFlow(x.Confirmed.Execution))
	}
	props := sarif.NewPropertyBag()
	props.Add("region", x.Region)
	props.Add("confirmed", x.Confirmed != nil)
	return res.WithProperties(props)
}

// unknownResult is an undecided pair, at its first entry point.
func (s *sarifRun) unknownResult(p diag.Pair, e *ir.Entry) *sarif.Result {
	res := s.result(ruleUnknown, "note", fmt.Sprintf("%s and %s: undecided: %s", p.First, p.Second, p.Reason), p.First+","+p.Second)
	if e != nil && e.Pos.File != "" {
		res.AddLocation(s.location(e.Pos, e.Name))
	}
	return res
}

// side describes an access in one phrase.
func side(a diag.Access) string {
	return fmt.Sprintf("%s in %s (entry point %s, holding %s)", a.Kind, ir.PlainName(a.Function), a.Entry, Holding(a))
}

// location is a place with a message, and its line; places without a line have no region.
func (s *sarifRun) location(p ir.Pos, msg string) *sarif.Location {
	loc := sarif.NewLocation().WithMessage(sarif.NewTextMessage(msg))
	if p.File == "" {
		return loc
	}
	file := sarif.NewArtifactLocation().WithURI(fileURI(p.File))
	if !filepath.IsAbs(p.File) {
		file.WithURIBaseID(rootID)
	}
	pl := sarif.NewPhysicalLocation().WithArtifactLocation(file)
	if p.Line > 0 {
		reg := sarif.NewRegion().WithStartLine(p.Line)
		if p.Col > 0 {
			reg.WithStartColumn(p.Col)
		}
		if line, ok := s.src.line(p); ok {
			reg.WithSnippet(sarif.NewArtifactContent().WithText(line))
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
func (s *sarifRun) invocation(r *diag.Report) *sarif.Invocation {
	inv := sarif.NewInvocation().WithExecutionSuccessful(true).WithExitCode(r.ExitStatus())
	note := func(text string) *sarif.Notification {
		return sarif.NewNotification().WithLevel("note").WithMessage(sarif.NewTextMessage(text))
	}
	for _, a := range r.Assumptions {
		n := note("assumption (" + a.Kind + "): " + a.Text)
		if a.Pos.File != "" {
			n.AddLocation(s.location(a.Pos, a.Kind))
		}
		inv.AddToolExecutionNotification(n)
	}
	if len(r.Pairs) == 0 || len(r.Looked.Left) > 0 {
		inv.AddToolExecutionNotification(note(string(r.Verdict) + ": " + summary(r)))
	}
	return inv
}
