package report

import "whoop/diag"

// jsonFinding and what is in it are part of the documented schema
// (docs/reference/json.md).
type (
	jsonFinding struct {
		Kind     string        `json:"kind"`
		Level    diag.Level    `json:"level"`
		File     string        `json:"file"`
		Line     int           `json:"line"`
		Column   int           `json:"column"`
		Function string        `json:"function"`
		Subject  string        `json:"subject"`
		Message  string        `json:"message"`
		Related  []jsonRelated `json:"related"`
	}
	jsonRelated struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Message string `json:"message"`
	}
	// jsonAcceptance has one of Race and Finding.
	jsonAcceptance struct {
		By      string       `json:"by"`
		Reason  string       `json:"reason"`
		File    string       `json:"file"`
		Line    int          `json:"line"`
		Race    *jsonRace    `json:"race,omitempty"`
		Finding *jsonFinding `json:"finding,omitempty"`
	}
)

func jsonFindings(fs []diag.Finding) []jsonFinding {
	out := make([]jsonFinding, 0, len(fs))
	for _, f := range fs {
		out = append(out, findingJSON(f))
	}
	return out
}

func findingJSON(f diag.Finding) jsonFinding {
	out := jsonFinding{f.Kind, f.Level, f.Pos.File, f.Pos.Line, f.Pos.Col, f.Function, f.Subject, f.Message, []jsonRelated{}}
	for _, r := range f.Related {
		out.Related = append(out.Related, jsonRelated{r.Pos.File, r.Pos.Line, r.Pos.Col, r.Message})
	}
	return out
}

func jsonAccepted(as []diag.Acceptance) []jsonAcceptance {
	out := make([]jsonAcceptance, 0, len(as))
	for _, a := range as {
		x := jsonAcceptance{By: a.By, Reason: a.Reason, File: a.Pos.File, Line: a.Pos.Line}
		if a.Race != nil {
			r := raceJSON(*a.Race)
			x.Race = &r
		} else {
			f := findingJSON(*a.Finding)
			x.Finding = &f
		}
		out = append(out, x)
	}
	return out
}
