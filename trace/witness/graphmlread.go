package witness

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// automaton is a GraphML file as read.
type automaton struct {
	data  map[string]string // of the graph
	nodes []graphNode       // in the order of the file
	byID  map[string]int
	edges []graphEdge
	names map[string]string // of keys, by their ids
}

type graphNode struct {
	id   string
	line int
	data map[string]string
}

type graphEdge struct {
	from, to string
	line     int
	data     map[string]string
}

// graphReader reads XML tokens.
type graphReader struct {
	d     *xml.Decoder
	a     *automaton
	into  map[string]string // where data go
	graph int
}

// readGraphML reads a file of the GraphML format.
func readGraphML(b []byte) (*Witness, error) {
	r := &graphReader{d: xml.NewDecoder(bytes.NewReader(b)), a: &automaton{data: map[string]string{}, byID: map[string]int{}, names: map[string]string{}}}
	r.d.Strict = true
	for {
		t, err := r.d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("not a witness: %w", err)
		}
		if e, ok := t.(xml.StartElement); ok {
			if err := r.element(e); err != nil {
				return nil, err
			}
		}
	}
	if r.graph != 1 {
		return nil, fmt.Errorf("not a witness: want one graph, not %d", r.graph)
	}
	return r.a.witness()
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (r *graphReader) element(e xml.StartElement) error {
	line, _ := r.d.InputPos()
	switch e.Name.Local {
	case "graph":
		r.graph++
		r.into = r.a.data
	case "key":
		if id, name := attr(e, "id"), attr(e, "attr.name"); id != "" && name != "" {
			r.a.names[id] = name
		}
	case "node":
		n := graphNode{attr(e, "id"), line, map[string]string{}}
		if _, ok := r.a.byID[n.id]; ok || n.id == "" {
			return fmt.Errorf("line %d: a node wants an id of its own, not %q", line, n.id)
		}
		r.a.byID[n.id] = len(r.a.nodes)
		r.a.nodes = append(r.a.nodes, n)
		r.into = n.data
	case "edge":
		x := graphEdge{attr(e, "source"), attr(e, "target"), line, map[string]string{}}
		r.a.edges = append(r.a.edges, x)
		r.into = x.data
	case "data":
		var text string
		if err := r.d.DecodeElement(&text, &e); err != nil {
			return fmt.Errorf("not a witness: %w", err)
		}
		if r.into == nil {
			return fmt.Errorf("line %d: data outside the graph", line)
		}
		key := attr(e, "key")
		if n := r.a.names[key]; n != "" && !known(key) {
			key = n
		}
		r.into[key] = strings.TrimSpace(text)
	}
	return nil
}

// known reports whether data have a key of the format; other keys are known by their
// names.
func known(key string) bool {
	for _, k := range graphKeys {
		if k[1] == key {
			return true
		}
	}
	return false
}

func (a *automaton) meta() Meta {
	m := Meta{Version: graphMLVersion, Specification: a.data["specification"], DataModel: "LP64"}
	if strings.HasPrefix(a.data["architecture"], "32") {
		m.DataModel = "ILP32"
	}
	m.Created, _ = time.Parse(time.RFC3339, a.data["creationtime"])
	m.Producer.Name = a.data["producer"]
	if i := strings.LastIndexByte(m.Producer.Name, ' '); i > 0 {
		m.Producer.Name, m.Producer.Version = m.Producer.Name[:i], m.Producer.Name[i+1:]
	}
	if f := a.data["programfile"]; f != "" {
		m.Files = []string{f}
		if h := a.data["programhash"]; h != "" {
			m.Hashes = map[string]string{f: h}
		}
	}
	return m
}

func (a *automaton) witness() (*Witness, error) {
	if l := a.data["sourcecodelang"]; l != "" && l != "C" {
		return nil, fmt.Errorf("sourcecodelang %q: want C", l)
	}
	for _, e := range a.edges {
		for _, id := range []string{e.from, e.to} {
			if _, ok := a.byID[id]; !ok {
				return nil, fmt.Errorf("line %d: there is no node %q", e.line, id)
			}
		}
	}
	switch k := a.data["witness-type"]; k {
	case "correctness_witness":
		c := &Correctness{Meta: a.meta()}
		err := a.invariants(c)
		return &Witness{Correctness: c}, err
	case "violation_witness":
		v := &Violation{Meta: a.meta(), After: true}
		err := a.violation(v)
		return &Witness{Violation: v}, err
	default:
		return nil, fmt.Errorf("witness-type %q: want violation_witness or correctness_witness", k)
	}
}

// invariants reads the states' invariants, at the place of the first edge that enters the
// state.
func (a *automaton) invariants(c *Correctness) error {
	for _, e := range a.edges {
		n := &a.nodes[a.byID[e.to]]
		if n.data["invariant"] == "" || n.data["\x00seen"] != "" {
			continue
		}
		w, err := e.location()
		if err != nil {
			return err
		}
		n.data["\x00seen"] = "true"
		w.Function = n.data["invariant.scope"]
		c.Invariants = append(c.Invariants, Invariant{Loop: e.data["enterLoopHead"] == "true", At: w, Value: n.data["invariant"]})
	}
	return nil
}

// violation reads a shortest path from the entry to a violation.
func (a *automaton) violation(v *Violation) error {
	path, err := a.path()
	if err != nil {
		return err
	}
	scope := map[string]string{} // of threads: the function entered last
	for _, e := range path {
		w, err := e.waypoint(scope)
		if err != nil {
			return err
		}
		v.Segments = append(v.Segments, Segment{w})
	}
	n := 1
	if strings.Contains(v.Meta.Specification, "data-race") {
		n = 2 // the two accesses
	}
	var last Segment
	for len(last) < n && len(v.Segments) > 0 {
		w := v.Segments[len(v.Segments)-1][0]
		if len(last) == 1 && (w.Thread == "" || w.Thread == last[0].Thread || w.Creates != "" || w.Type != Assumption) {
			break
		}
		if w.Type == Assumption && w.Constraint == "1" && w.Creates == "" {
			v.Segments = v.Segments[:len(v.Segments)-1] // it says nothing else
		} else {
			n = 1
		}
		w.Type, w.Constraint, w.Creates = Target, "", ""
		last = append(Segment{w}, last...)
	}
	v.Segments = append(v.Segments, last)
	return nil
}

// path is a shortest one; sinks and edges that stay are left out.
func (a *automaton) path() ([]graphEdge, error) {
	start := -1
	for i, n := range a.nodes {
		if n.data["entry"] == "true" {
			if start >= 0 {
				return nil, fmt.Errorf("line %d: a second entry node", n.line)
			}
			start = i
		}
	}
	if start < 0 {
		return nil, errors.New("the graph has no entry node")
	}
	out := make([][]int, len(a.nodes))
	for i, e := range a.edges {
		if from := a.byID[e.from]; e.from != e.to {
			out[from] = append(out[from], i)
		}
	}
	came := make([]int, len(a.nodes))
	for i := range came {
		came[i] = -1
	}
	came[start] = len(a.edges)
	for todo := []int{start}; len(todo) > 0; todo = todo[1:] {
		n := todo[0]
		if a.nodes[n].data["violation"] == "true" && n != start {
			return a.back(came, start, n), nil
		}
		for _, i := range out[n] {
			if to := a.byID[a.edges[i].to]; came[to] < 0 && a.nodes[to].data["sink"] != "true" {
				came[to] = i
				todo = append(todo, to)
			}
		}
	}
	return nil, errors.New("no path leads from the entry node to a violation node")
}

func (a *automaton) back(came []int, start, n int) []graphEdge {
	var out []graphEdge
	for n != start {
		e := a.edges[came[n]]
		out = append(out, e)
		n = a.byID[e.from]
	}
	for i, k := 0, len(out)-1; i < k; i, k = i+1, k-1 {
		out[i], out[k] = out[k], out[i]
	}
	return out
}

func (e *graphEdge) number(key string) (int, error) {
	s := e.data[key]
	if s == "" {
		return 0, nil
	}
	i, err := strconv.Atoi(s)
	if err != nil || i < 0 {
		return 0, fmt.Errorf("line %d: %s %q: want a number", e.line, key, s)
	}
	return i, nil
}

func (e *graphEdge) location() (Location, error) {
	var l Location
	var err error
	if l.Line, err = e.number("startline"); err != nil {
		return l, err
	}
	l.Offset, err = e.number("startoffset")
	return l, err
}

func (e *graphEdge) waypoint(scope map[string]string) (Waypoint, error) {
	w := Waypoint{Type: Assumption, Constraint: "1", Thread: e.data["threadId"], Creates: e.data["createThread"], Enters: e.data["enterFunction"]}
	var err error
	if w.At, err = e.location(); err != nil {
		return w, err
	}
	w.At.Function = scope[w.Thread]
	if s := e.data["assumption.scope"]; s != "" {
		w.At.Function = s
	}
	if w.Enters != "" {
		scope[w.Thread] = w.Enters
		if w.At.Line == 0 {
			w.Type = FunctionEnter
		}
	}
	if e.data["returnFromFunction"] != "" {
		delete(scope, w.Thread)
	}
	if s := e.data["assumption"]; s != "" {
		w.Constraint = strings.TrimSuffix(s, ";")
		if result.MatchString(s) {
			w.Type, w.Enters = FunctionReturn, e.data["assumption.resultfunction"]
		}
	}
	if c, ok := strings.CutPrefix(e.data["control"], "condition-"); ok {
		w.Type, w.Constraint = Branching, c
	}
	return w, nil
}
