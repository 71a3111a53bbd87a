package report

import (
	"fmt"
	"strings"

	"whoop/ir"
)

// assumptionGroup is the assumptions of one kind that say the same, with their places.
type assumptionGroup struct {
	Text   string
	Places []ir.Pos
}

// kindGroup is all assumptions of one kind.
type kindGroup struct {
	Kind  string
	Count int
	Texts []*assumptionGroup
}

// grouped gathers assumptions by kind and by text, in the order in which they come.
func grouped(as []ir.Assumption) []*kindGroup {
	var out []*kindGroup
	kinds := map[string]*kindGroup{}
	texts := map[[2]string]*assumptionGroup{}
	for _, a := range as {
		k := kinds[a.Kind]
		if k == nil {
			k = &kindGroup{Kind: a.Kind}
			kinds[a.Kind] = k
			out = append(out, k)
		}
		k.Count++
		g := texts[[2]string{a.Kind, a.Text}]
		if g == nil {
			g = &assumptionGroup{Text: a.Text}
			texts[[2]string{a.Kind, a.Text}] = g
			k.Texts = append(k.Texts, g)
		}
		if a.Pos.File != "" || a.Pos.Line > 0 {
			g.Places = append(g.Places, a.Pos)
		}
	}
	return out
}

// maxPlaces is how many places of one assumption the text report lists; JSON has all.
const maxPlaces = 4

// places lists positions, the file said once where it does not change.
func places(ps []ir.Pos) string {
	var parts []string
	file := ""
	for i, p := range ps {
		if i == maxPlaces && len(ps) > maxPlaces+1 {
			parts = append(parts, plural(len(ps)-i, "more place"))
			break
		}
		s := p.String()
		if p.File == file && p.Line > 0 {
			s = s[len(p.File)+1:]
		}
		file = p.File
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

// assumptions prints how many there are of which kinds; with --all, grouped, with their
// texts and places.
func (t *text) assumptions(as []ir.Assumption) {
	if len(as) == 0 {
		return
	}
	if !t.opt.All {
		var kinds []string
		for _, k := range grouped(as) {
			if k.Count > 1 {
				kinds = append(kinds, fmt.Sprintf("%s %d", k.Kind, k.Count))
			} else {
				kinds = append(kinds, k.Kind)
			}
		}
		t.printf("\nthis holds under %s (%s; --all has their texts)\n", plural(len(as), "assumption"), strings.Join(kinds, ", "))
		return
	}
	t.printf("\n%s: the verdicts hold where these do\n", plural(len(as), "assumption"))
	for _, k := range grouped(as) {
		t.printf("  %s (%d)\n", k.Kind, k.Count)
		for _, g := range k.Texts {
			if len(g.Places) == 0 {
				t.printf("    %s\n", g.Text)
				continue
			}
			t.printf("    %s\n      at %s\n", g.Text, places(g.Places))
		}
	}
}
