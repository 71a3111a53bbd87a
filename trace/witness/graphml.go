package witness

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// graphMLVersion is the version of the GraphML format.
const graphMLVersion = "1.0"

// graphKeys declares the data of a GraphML file: of the graph, of nodes, of edges.
var graphKeys = [...][3]string{
	{"graph", "witness-format-version", "string"}, {"graph", "witness-type", "string"}, {"graph", "sourcecodelang", "string"},
	{"graph", "producer", "string"}, {"graph", "specification", "string"}, {"graph", "programfile", "string"},
	{"graph", "programhash", "string"}, {"graph", "architecture", "string"}, {"graph", "creationtime", "string"},
	{"node", "entry", "boolean"}, {"node", "violation", "boolean"}, {"node", "sink", "boolean"},
	{"node", "invariant", "string"}, {"node", "invariant.scope", "string"},
	{"edge", "assumption", "string"}, {"edge", "assumption.scope", "string"}, {"edge", "assumption.resultfunction", "string"},
	{"edge", "control", "string"}, {"edge", "startline", "int"}, {"edge", "endline", "int"},
	{"edge", "startoffset", "int"}, {"edge", "endoffset", "int"}, {"edge", "enterLoopHead", "boolean"},
	{"edge", "enterFunction", "string"}, {"edge", "returnFromFunction", "string"},
	{"edge", "threadId", "string"}, {"edge", "createThread", "string"},
}

// graphWriter writes a GraphML file; errors are kept until the end.
type graphWriter struct{ bytes.Buffer }

func (g *graphWriter) data(indent, key, value string) {
	if value == "" {
		return
	}
	fmt.Fprintf(g, "%s<data key=\"%s\">", indent, key)
	xml.EscapeText(g, []byte(value)) // a buffer's Write does not fail
	g.WriteString("</data>\n")
}

func (g *graphWriter) head(meta Meta, kind string) {
	g.WriteString(xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">` + "\n")
	for _, k := range graphKeys {
		fmt.Fprintf(g, ` <key attr.name="%s" attr.type="%s" for="%s" id="%s"`, k[1], k[2], k[0], k[1])
		if k[2] == "boolean" {
			g.WriteString("><default>false</default></key>\n")
		} else {
			g.WriteString("/>\n")
		}
	}
	g.WriteString(` <graph edgedefault="directed">` + "\n")
	file := ""
	if len(meta.Files) > 0 {
		file = meta.Files[0]
	}
	arch := "64bit"
	if meta.DataModel == "ILP32" {
		arch = "32bit"
	}
	for _, d := range [][2]string{{"witness-format-version", graphMLVersion}, {"witness-type", kind}, {"sourcecodelang", "C"},
		{"producer", spaced(meta.Producer)}, {"specification", meta.Specification}, {"programfile", file},
		{"programhash", meta.Hashes[file]}, {"architecture", arch}, {"creationtime", timestamp(meta.Created)}} {
		g.data("  ", d[0], d[1])
	}
}

func spaced(p Producer) string {
	if p.Version == "" {
		return p.Name
	}
	return p.Name + " " + p.Version
}

func (g *graphWriter) end(w io.Writer) error {
	g.WriteString(" </graph>\n</graphml>\n")
	_, err := w.Write(g.Bytes())
	return err
}

func (g *graphWriter) node(id int, mark string) {
	if mark == "" {
		fmt.Fprintf(g, "  <node id=\"N%d\"/>\n", id)
		return
	}
	fmt.Fprintf(g, "  <node id=\"N%d\">\n", id)
	g.data("   ", mark, "true")
	g.WriteString("  </node>\n")
}

// WriteGraphML writes the violation as an automaton without branches: an edge for each
// waypoint to follow, the last edges for the targets, in their order; of a deadlock's the
// first alone, since the format does not tell where they begin. What is to be avoided has
// no place in it.
func (v *Violation) WriteGraphML(w io.Writer) error {
	var g graphWriter
	g.head(v.Meta, "violation_witness")
	var ws []Waypoint
	for _, s := range v.Segments {
		ws = append(ws, s.follow()...)
	}
	if n := len(v.targets()); n > 1 && strings.Contains(v.Meta.Specification, "deadlock") {
		ws = ws[:len(ws)-n+1]
	}
	if len(ws) > 1 && ws[0].Thread != "" && ws[0].Enters == "" {
		ws = append([]Waypoint{{Type: FunctionEnter, Thread: ws[0].Thread, Creates: ws[0].Thread, Enters: "main"}}, ws...)
	}
	g.node(0, "entry")
	fresh := map[string]bool{} // created, and not yet entered
	for i, p := range ws {
		mark := ""
		if i+1 == len(ws) {
			mark = "violation"
		}
		g.node(i+1, mark)
		enters := p.Enters
		if fresh[p.Thread] && enters == "" && p.Type == Assumption {
			enters = p.At.Function
		}
		if enters != "" {
			fresh[p.Thread] = false
		}
		if p.Creates != "" && p.Creates != p.Thread {
			fresh[p.Creates] = true
		}
		g.edge(i, p, enters)
	}
	return g.end(w)
}

func (g *graphWriter) edge(from int, p Waypoint, enters string) {
	fmt.Fprintf(g, "  <edge source=\"N%d\" target=\"N%d\">\n", from, from+1)
	const in = "   "
	line := ""
	if p.At.Line > 0 {
		line = strconv.Itoa(p.At.Line)
	}
	g.data(in, "startline", line)
	g.data(in, "endline", line)
	if p.At.Offset > 0 {
		g.data(in, "startoffset", strconv.Itoa(p.At.Offset))
	}
	switch {
	case p.Type == FunctionReturn:
		g.data(in, "assumption", p.Constraint)
		g.data(in, "assumption.scope", p.At.Function)
		g.data(in, "assumption.resultfunction", p.Enters)
		enters = ""
	case p.Type == Branching && (p.Constraint == "true" || p.Constraint == "false"):
		g.data(in, "control", "condition-"+p.Constraint)
	case p.Type == Assumption && p.Constraint != "" && p.Constraint != "1":
		g.data(in, "assumption", p.Constraint)
		g.data(in, "assumption.scope", p.At.Function)
	}
	g.data(in, "enterFunction", enters)
	g.data(in, "threadId", p.Thread)
	g.data(in, "createThread", p.Creates)
	g.WriteString("  </edge>\n")
}

// maxComplete bounds the states between which there are all edges.
const maxComplete = 30

// WriteGraphML writes the invariants as an automaton with a state for each, which is
// entered at its place, from the entry and from the other states; where there are many,
// from the entry alone.
func (c *Correctness) WriteGraphML(w io.Writer) error {
	var g graphWriter
	g.head(c.Meta, "correctness_witness")
	g.node(0, "entry")
	for i, x := range c.Invariants {
		fmt.Fprintf(&g, "  <node id=\"N%d\">\n", i+1)
		g.data("   ", "invariant", x.Value)
		g.data("   ", "invariant.scope", x.At.Function)
		g.WriteString("  </node>\n")
		g.enter(0, i+1, x)
	}
	for i := 0; i < len(c.Invariants) && len(c.Invariants) <= maxComplete; i++ {
		for k, x := range c.Invariants {
			if k != i {
				g.enter(i+1, k+1, x)
			}
		}
	}
	return g.end(w)
}

// enter is the edge to an invariant's state.
func (g *graphWriter) enter(from, to int, x Invariant) {
	fmt.Fprintf(g, "  <edge source=\"N%d\" target=\"N%d\">\n", from, to)
	if x.Loop {
		g.data("   ", "enterLoopHead", "true")
	}
	g.data("   ", "startline", strconv.Itoa(x.At.Line))
	g.data("   ", "endline", strconv.Itoa(x.At.Line))
	g.WriteString("  </edge>\n")
}

var result = regexp.MustCompile(`\\result\b`)
