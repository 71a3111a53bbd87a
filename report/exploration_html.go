package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"strings"

	"whoop/diag"
)

//go:embed exploration.html
var explorationPage string

// explorationView is what the template of explore's page sees.
type explorationView struct {
	*diag.Exploration
	Conclusion, Work string
	BugTexts         []bugText
	PairRows         []pairRow
}

// pairRow is a pair of a driver's entry points, as the text's table has it.
type pairRow struct {
	Name, Answer string
	*diag.ExploredPair
}

// bugText is a bug as the text has it: its first line, and the rest.
type bugText struct{ Title, Text string }

// ExplorationHTML prints what explore found as one page that needs nothing else. The bugs
// may have no colours.
func ExplorationHTML(w io.Writer, x *diag.Exploration) error {
	t, err := template.New("page").Funcs(template.FuncMap{"inc": func(i int) int { return i + 1 }}).Parse(explorationPage)
	if err != nil {
		return err
	}
	v := explorationView{Exploration: x, Conclusion: Conclusion(x), Work: strings.Join(work(x), ", ")}
	for i := range x.Pairs {
		p := &x.Pairs[i]
		v.PairRows = append(v.PairRows, pairRow{pairName(p), pairAnswer(p, x.Bugs), p})
	}
	src := newSources()
	for i := range x.Bugs {
		var b bytes.Buffer
		(&text{w: &b, src: src}).bug(i+1, inPair(x, i), &x.Bugs[i], inPairs(x, i))
		title, rest, _ := strings.Cut(strings.TrimSpace(b.String()), "\n")
		v.BugTexts = append(v.BugTexts, bugText{title, strings.TrimRight(rest, "\n")})
	}
	return t.Execute(w, v)
}
