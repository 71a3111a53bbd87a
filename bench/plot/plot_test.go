package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files; look at them before you commit them")

// draw runs a plot and checks that what it draws is well-formed.
func draw(t *testing.T, f func(io.Writer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := f(&b); err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(b.Bytes()))
	for depth := 0; ; {
		tok, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%s", err, b.String())
		}
		switch x := tok.(type) {
		case xml.StartElement:
			if depth++; depth == 1 && x.Name.Local != "svg" {
				t.Fatalf("the root is %s", x.Name.Local)
			}
			seen := map[string]bool{}
			for _, a := range x.Attr {
				if seen[a.Name.Local] {
					t.Fatalf("%s has the attribute %s twice", x.Name.Local, a.Name.Local)
				}
				seen[a.Name.Local] = true
			}
		case xml.EndElement:
			depth--
		}
	}
	if strings.Contains(b.String(), "NaN") || strings.Contains(b.String(), "Inf") {
		t.Fatalf("a coordinate is not a number:\n%s", b.String())
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run go test with -update, then look at the file", err)
	}
	if string(want) != got {
		t.Errorf("%s differs: run go test with -update, then look at the file", name)
	}
}

func smallScatter() ScatterData {
	return ScatterData{Title: "csb 5", XLabel: "bmc:all", YLabel: "bmc:mr", Limit: 60, Classes: []string{"bug", "no bug"}, Points: []Point{
		{X: 12.5, Y: 0.8, Class: "no bug", Title: "nvram.c"}, {XOut: "timeout", Y: 3, Class: "bug", Title: "sensor.c"},
		{X: 0.004, Y: 0.05, Class: "bug", Title: "a<b>&\"c\".c"}, {XOut: "timeout", YOut: "out of memory", Class: "unknown", Title: "tty.c"}}}
}

func smallQuantile(byScore bool) QuantileData {
	return QuantileData{Title: "All tasks", ByScore: byScore, Limit: 60, Series: []Series{
		{"bmc:all", []Result{{3, true, 2, "a.c"}, {0.5, true, 1, "b.c"}, {1, false, -16, "c.c"}, {60, false, 0, "d.c"}}},
		{"bmc:mr", []Result{{0.3, true, 2, "a.c"}, {0.2, true, 1, "b.c"}, {11, true, 1, "c.c"}, {20, true, 2, "d.c"}}}}}
}

// TestGolden keeps the pictures as they were when somebody looked at them.
func TestGolden(t *testing.T) {
	golden(t, "scatter.svg", draw(t, func(w io.Writer) error { return Scatter(w, smallScatter()) }))
	golden(t, "quantile.svg", draw(t, func(w io.Writer) error { return Quantile(w, smallQuantile(false)) }))
	golden(t, "quantile-score.svg", draw(t, func(w io.Writer) error { return Quantile(w, smallQuantile(true)) }))
}

// titles counts the marks that show a text.
func titles(svg string) int { return strings.Count(svg, "<title>") }

// TestScatterPoints: each task is drawn, in every shape and wherever it lies.
func TestScatterPoints(t *testing.T) {
	const seed = 7
	r := rand.New(rand.NewSource(seed))
	var d ScatterData
	for i := range 200 {
		p := Point{X: math.Pow(10, 6*r.Float64()-4), Y: math.Pow(10, 6*r.Float64()-4), Class: fmt.Sprint("class ", i%9), Title: fmt.Sprint("task ", i)}
		if i%10 == 0 {
			p.XOut = "timeout"
		}
		d.Points = append(d.Points, p)
	}
	svg := draw(t, func(w io.Writer) error { return Scatter(w, d) })
	if n := titles(svg); n != 200 {
		t.Errorf("seed %d: %d of 200 points", seed, n)
	}
	for _, want := range []string{"class 8 (22)", "no answer", "≤0.01", ">100<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("%q is not there", want)
		}
	}
	if again := draw(t, func(w io.Writer) error { return Scatter(w, d) }); again != svg {
		t.Error("the same data gives another picture")
	}
}

// TestSmallest: nothing to draw is drawn, too.
func TestSmallest(t *testing.T) {
	draw(t, func(w io.Writer) error { return Scatter(w, ScatterData{}) })
	draw(t, func(w io.Writer) error { return Scatter(w, ScatterData{Limit: 0.001, Points: []Point{{}}}) })
	draw(t, func(w io.Writer) error { return Quantile(w, QuantileData{}) })
	draw(t, func(w io.Writer) error { return Quantile(w, QuantileData{ByScore: true, Series: []Series{{}}}) })
	draw(t, func(w io.Writer) error { return Scatter(w, ScatterData{Points: []Point{{Title: "\x00\xff<script>"}}}) })
}

// TestQuantileSums: the stairs end where the sums do.
func TestQuantileSums(t *testing.T) {
	d := smallQuantile(true)
	curves, err := d.curves()
	if err != nil {
		t.Fatal(err)
	}
	if c := curves[0]; c.start != -16 || len(c.steps) != 2 || c.steps[0].x != -15 || c.steps[1].x != -13 || c.steps[0].Title != "b.c" {
		t.Errorf("by score: %+v", c)
	}
	d.ByScore = false
	if curves, err = d.curves(); err != nil {
		t.Fatal(err)
	}
	if c := curves[1]; c.start != 0 || len(c.steps) != 4 || c.steps[3].x != 4 || c.steps[3].Seconds != 20 {
		t.Errorf("by number: %+v", c)
	}
}

// TestRefused: what cannot be drawn is an error that names it.
func TestRefused(t *testing.T) {
	one := func(r Result) QuantileData { return QuantileData{Series: []Series{{"cfg", []Result{r}}}} }
	for want, f := range map[string]func(io.Writer) error{
		"point 1 (x.c)": func(w io.Writer) error { return Scatter(w, ScatterData{Points: []Point{{X: -1, Title: "x.c"}}}) },
		"NaN seconds":   func(w io.Writer) error { return Scatter(w, ScatterData{Points: []Point{{Y: math.NaN()}}}) },
		"limit":         func(w io.Writer) error { return Scatter(w, ScatterData{Limit: math.Inf(1)}) },
		"cfg: q.c": func(w io.Writer) error {
			return Quantile(w, one(Result{Seconds: math.Inf(1), Solved: true, Title: "q.c"}))
		},
		"wrong answer": func(w io.Writer) error { return Quantile(w, one(Result{Solved: true, Score: -16})) },
		"not solved":   func(w io.Writer) error { return Quantile(w, one(Result{Score: 1})) },
	} {
		if err := f(io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q expected, got %v", want, err)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// TestWriteError: a writer's error comes back.
func TestWriteError(t *testing.T) {
	if err := Scatter(full{}, smallScatter()); err == nil || err.Error() != "disk full" {
		t.Error(err)
	}
}

// TestTicks: an axis has readable labels, and its end is labelled.
func TestTicks(t *testing.T) {
	for _, x := range []struct {
		lo, hi, limit float64
		want          string
	}{{0.003, 80, 0, "0.01 0.1 1 10 100"}, {0.02, 42, 60, "0.01 0.1 1 10 60"}, {2, 90, 110, "1 2 5 10 20 50 110"}, {0.5, 3, 0, "0.1 0.2 0.5 1 2 5 10"},
		{20, 50, 15, "10 15"}, {5, 5, 0.5, "0.1 0.2 0.5"}, {1, 1, 0, "1 2 5 10"}} {
		var got []string
		for _, tk := range newLogScale(x.lo, x.hi, x.limit).ticks() {
			if tk.label != "" {
				got = append(got, tk.label)
			}
		}
		if s := strings.Join(got, " "); s != x.want {
			t.Errorf("%v to %v, limit %v: %s, not %s", x.lo, x.hi, x.limit, s, x.want)
		}
	}
}

// TestNumber: what is printed is what is meant.
func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{0: "0", -5: "-5", 1234567: "1234567", 0.1 + 0.2: "0.3", math.Copysign(0, -1): "0"} {
		if got := number(v); got != want {
			t.Errorf("%v: %s, not %s", v, got, want)
		}
	}
}
