package bench

import (
	"compress/bzip2"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"whoop/bench/task"
)

// Baseline is results that were made elsewhere or earlier.
type Baseline struct {
	Name   string // for people: the file's name, and what made it
	Config string // the configuration, where the file is of bench; otherwise ""
	Runs   []Run
	Notes  []string // what could not be used
}

// ReadBaseline reads results: a table of bench (.csv), or the XML of BenchExec (.xml,
// .xml.bz2).
func ReadBaseline(path string) ([]Baseline, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%s: no such file", path)
	}
	defer f.Close()
	var r io.Reader = f
	name, packed := strings.CutSuffix(path, ".bz2")
	if packed {
		r = bzip2.NewReader(f)
	}
	var out []Baseline
	switch filepath.Ext(name) {
	case ".csv":
		out, err = readCSV(filepath.Base(path), r)
	case ".xml":
		out, err = readXML(filepath.Base(path), r)
	default:
		return nil, fmt.Errorf("%s: want a table of bench (.csv) or results of BenchExec (.xml, .xml.bz2)", path)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range out {
		out[i].unique()
	}
	return out, nil
}

// unique leaves out runs of one name and property that are there twice: which one is
// meant cannot be told.
func (b *Baseline) unique() {
	count := map[string]int{}
	for i := range b.Runs {
		count[b.Runs[i].Task+":"+b.Runs[i].Property]++
	}
	var kept []Run
	for _, r := range b.Runs {
		if n := count[r.Task+":"+r.Property]; n == 1 {
			kept = append(kept, r)
		} else if n > 1 {
			b.Notes = append(b.Notes, fmt.Sprintf("%s: %s (%s) is there %d times: left out", b.Name, r.Task, r.Property, n))
			count[r.Task+":"+r.Property] = 0
		}
	}
	b.Runs = kept
}

// against is the runs of the baseline held against what the tasks of own expect. A run
// without a property counts for a task that is checked for one property only.
func (b *Baseline) against(own []Run) []Run {
	tasks := map[string][]*Run{}
	for i := range own {
		tasks[own[i].Task] = append(tasks[own[i].Task], &own[i])
	}
	out := make([]Run, len(b.Runs))
	for i, r := range b.Runs {
		mine := tasks[r.Task]
		if r.Property == "" && len(mine) == 1 {
			r.Property = mine[0].Property
		}
		for _, o := range mine {
			if o.Property == r.Property {
				p, ok := task.Named(r.Property)
				if !ok {
					p = task.Property{Name: r.Property}
				}
				r.Expected = o.Expected
				r.Class = task.Classify(p, r.Expected, r.Verdict)
				r.Score = task.Score(r.Class)
			}
		}
		out[i] = r
	}
	return out
}

// xmlResult is the part of BenchExec's result format that is read (its doc/result.dtd).
type xmlResult struct {
	Tool      string   `xml:"tool,attr"`
	Version   string   `xml:"version,attr"`
	Benchmark string   `xml:"benchmarkname,attr"`
	Runs      []xmlRun `xml:"run"`
}

type xmlRun struct {
	Name       string `xml:"name,attr"`
	Properties string `xml:"properties,attr"`
	Columns    []struct {
		Title string `xml:"title,attr"`
		Value string `xml:"value,attr"`
	} `xml:"column"`
}

func readXML(file string, r io.Reader) ([]Baseline, error) {
	var x xmlResult
	dec := xml.NewDecoder(r)
	if err := dec.Decode(&x); err != nil {
		line, _ := dec.InputPos()
		return nil, fmt.Errorf("line %d: not a result of BenchExec: %w", line, err)
	}
	b := Baseline{Name: strings.TrimSpace(x.Tool + " " + x.Version)}
	if b.Name == "" {
		b.Name = file
	}
	for _, xr := range x.Runs {
		run, err := xr.run()
		if err != nil {
			return nil, fmt.Errorf("run %q: %w", xr.Name, err)
		}
		b.Runs = append(b.Runs, run)
	}
	if len(b.Runs) == 0 {
		return nil, fmt.Errorf("no runs")
	}
	return []Baseline{b}, nil
}

// run reads one run. Names end in two parts that also our tasks have; a run that has no
// status was not done.
func (x *xmlRun) run() (Run, error) {
	r := Run{Task: task.ShortName(x.Name), Verdict: task.Verdict{Kind: task.Error, Detail: "no status"}}
	if f := strings.Fields(x.Properties); len(f) == 1 {
		r.Property = f[0]
	}
	var err error
	for _, c := range x.Columns {
		switch c.Title {
		case "status":
			r.Verdict = foreignVerdict(c.Value)
		case "cputime":
			r.CPUSeconds, err = number(c.Value, "s")
		case "walltime":
			r.WallSeconds, err = number(c.Value, "s")
		case "memory", "memUsage":
			var bytes float64
			bytes, err = number(c.Value, "B")
			r.MemoryBytes = int64(bytes)
		}
		if err != nil {
			return r, fmt.Errorf("%s: %w", c.Title, err)
		}
	}
	return r, nil
}

// foreignVerdict reads a status of BenchExec. One that is none of the known words says
// what went wrong.
func foreignVerdict(status string) task.Verdict {
	if v, err := task.ParseVerdict(status); err == nil {
		if v.Detail == "reach" { // what unreach-call was called in results before 2016
			v.Detail = "unreach-call"
		}
		return v
	}
	return task.Verdict{Kind: task.Error, Detail: oneLine(status)}
}

// number reads a number with a unit, or without; nothing is 0.
func number(s, unit string) (float64, error) {
	s = strings.TrimSuffix(strings.TrimSpace(s), unit)
	if s == "" {
		return 0, nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || x < 0 || x != x || x > 1e18 {
		return 0, fmt.Errorf("%q is no number of %s", s, unit)
	}
	return x, nil
}

// readCSV reads what CSV writes: a baseline for each configuration.
func readCSV(file string, r io.Reader) ([]Baseline, error) {
	rows := csv.NewReader(r)
	head, err := rows.Read()
	if err != nil {
		return nil, fmt.Errorf("no table of bench: %w", err)
	}
	columns := map[string]int{}
	for i, name := range head {
		columns[name] = i
	}
	for _, name := range []string{"task", "property", "config", "verdict", "cpu_seconds", "wall_seconds", "memory_bytes"} {
		if _, ok := columns[name]; !ok {
			return nil, fmt.Errorf("no table of bench: there is no column %s", name)
		}
	}
	var out []Baseline
	index := map[string]int{}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		run, err := csvRun(row, columns)
		if err != nil {
			line, _ := rows.FieldPos(0)
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		i, ok := index[run.Config]
		if !ok {
			i = len(out)
			index[run.Config] = i
			out = append(out, Baseline{Name: file + " " + run.Config, Config: run.Config})
		}
		out[i].Runs = append(out[i].Runs, run)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no runs")
	}
	return out, nil
}

func csvRun(row []string, columns map[string]int) (Run, error) {
	get := func(name string) string { return row[columns[name]] }
	r := Run{Task: get("task"), Property: get("property"), Config: get("config")}
	var err error
	if r.Verdict, err = task.ParseVerdict(get("verdict")); err != nil {
		return r, err
	}
	if r.CPUSeconds, err = number(get("cpu_seconds"), "s"); err != nil {
		return r, err
	}
	if r.WallSeconds, err = number(get("wall_seconds"), "s"); err != nil {
		return r, err
	}
	bytes, err := number(get("memory_bytes"), "B")
	r.MemoryBytes = int64(bytes)
	return r, err
}

// oneLine makes a text fit for a verdict's detail.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
