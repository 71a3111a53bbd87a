package accept

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// raceKind is the kind of races in a baseline; other kinds are those of findings.
const raceKind = "data-race"

// entry is something known: what it is, in words that stay the same when lines move.
type entry struct {
	Kind string `json:"kind"`
	// Region is the memory of a race, or what a finding is about.
	Region   string `json:"region"`
	Accesses []side `json:"accesses"`
	// Count is how many there are that look the same.
	Count int `json:"count"`
}

// side is one access of a race, or the place of a finding.
type side struct {
	Access   string `json:"access,omitempty"`
	Function string `json:"function"`
	File     string `json:"file"`
}

// place matches FILE:LINE or FILE:LINE:COLUMN in a name, as in heap(driver.c:12).next.
var place = regexp.MustCompile(`([^\s():@]+):\d+(:\d+)?`)

// line matches the lines in the names that the Go front end makes, as in box(line 12).n.
var line = regexp.MustCompile(`\(line \d+\)`)

// stable leaves the lines and directories out of a name.
func stable(name string) string {
	name = line.ReplaceAllString(name, "")
	return place.ReplaceAllStringFunc(name, func(m string) string {
		file, _, _ := strings.Cut(m, ":")
		return base(file)
	})
}

// base is the last element of a path written with either separator.
func base(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }

func sideOf(access, function string, at ir.Pos) side {
	return side{access, stable(function), base(at.File)}
}

// raceEntry and findingEntry are what a baseline keeps of each, but for the count.
func raceEntry(x diag.Race) entry {
	e := entry{Kind: raceKind, Region: stable(x.Region), Accesses: []side{
		sideOf(x.First.Kind, x.First.Function, x.First.Pos), sideOf(x.Second.Kind, x.Second.Function, x.Second.Pos)}}
	slices.SortFunc(e.Accesses, compareSides)
	return e
}

func findingEntry(f diag.Finding) entry {
	return entry{Kind: f.Kind, Region: stable(f.Subject), Accesses: []side{sideOf("", f.Function, f.Pos)}}
}

// key identifies an entry without its count.
func (e entry) key() string {
	s := e.Kind + "\x00" + e.Region
	for _, a := range e.Accesses {
		s += "\x00" + a.Access + "\x00" + a.Function + "\x00" + a.File
	}
	return s
}

func compareSides(a, b side) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Function, b.Function), cmp.Compare(a.Access, b.Access))
}

func compareEntries(a, b entry) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Region, b.Region), slices.CompareFunc(a.Accesses, b.Accesses, compareSides))
}

// RaceFingerprint and FindingFingerprint identify a race or a finding for other tools as
// baselines do: they stay the same when lines move.
func RaceFingerprint(x diag.Race) string { return fingerprint(raceEntry(x)) }

// FindingFingerprint is RaceFingerprint of a finding.
func FindingFingerprint(f diag.Finding) string { return fingerprint(findingEntry(f)) }

func fingerprint(e entry) string {
	sum := sha256.Sum256([]byte(e.key()))
	return hex.EncodeToString(sum[:16])
}
