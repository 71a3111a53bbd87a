package plot

import (
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
)

// Point is a task in a scatter.
type Point struct {
	// X and Y are the seconds of the two configurations.
	X, Y float64
	// XOut and YOut say why a configuration has no answer ("timeout", "out of memory");
	// its time is then not used, and the point is on the border. "" where it has one.
	XOut, YOut string
	// Class is what decides colour and mark, as a rule the verdict.
	Class string
	// Title shows, with both times, while the mouse is on the point.
	Title string
}

// ScatterData is a scatter of the times of two configurations on the same tasks.
type ScatterData struct {
	// Title is above the plot ("" for none), XLabel and YLabel name the configurations.
	Title, XLabel, YLabel string
	// Limit is the time limit in seconds, the end of both axes; 0: the axes end with the
	// longest time.
	Limit float64
	// Classes gives the order of classes in the legend, and so their colours; those that
	// are not listed follow by name.
	Classes []string
	Points  []Point
}

// side is the length of a scatter's sides, lane the width of the border strip for tasks
// without an answer.
const (
	side = 400.0
	lane = 26.0
)

// Scatter draws a log-log scatter: a point a task, below the diagonal where y is faster;
// lines where one is ten times as fast as the other; tasks without an answer in a strip
// at the border. It fails on times that are negative or not numbers.
func Scatter(w io.Writer, d ScatterData) error {
	lo, hi, err := d.extent()
	if err != nil {
		return err
	}
	const left, right = 70.0, 20.0
	top := 14.0
	if d.Title != "" {
		top += 22
	}
	x0, y1 := left, top+lane
	s := newLogScale(lo, hi, d.Limit)
	p := scatterPlot{ScatterData: d, x: s.between(x0, x0+side), y: s.between(y1+side, y1)}
	c := &p.canvas
	width := left + side + lane + right
	if d.Title != "" {
		c.fitted(x0, 22, side+lane, "start", d.Title, attr{"font-weight", "bold"})
	}
	p.frame(lo < s.lo)
	p.diagonals()
	p.lanes()
	classes := d.classes()
	for _, pt := range d.Points {
		p.point(pt, slices.Index(classes, pt.Class))
	}
	end := c.legend(x0, y1+side+64, side+lane, p.entries(classes))
	return c.write(w, width, end, fmt.Sprintf("Scatter of times: %s against %s, %d tasks", d.XLabel, d.YLabel, len(d.Points)))
}

// extent is the range of the times, each checked.
func (d *ScatterData) extent() (lo, hi float64, err error) {
	if err := checkTime("limit", d.Limit); err != nil {
		return 0, 0, err
	}
	lo, hi = math.Inf(1), 0
	for i := range d.Points {
		p := &d.Points[i]
		for _, v := range []struct {
			t   float64
			out string
		}{{p.X, p.XOut}, {p.Y, p.YOut}} {
			if v.out != "" {
				continue
			}
			if err := checkTime(fmt.Sprintf("point %d (%s)", i+1, p.Title), v.t); err != nil {
				return 0, 0, err
			}
			lo, hi = math.Min(lo, v.t), math.Max(hi, v.t)
		}
	}
	if math.IsInf(lo, 1) {
		lo, hi = least, 100
	}
	return lo, hi, nil
}

// classes are the points' classes in the order of the legend.
func (d *ScatterData) classes() []string {
	used := map[string]bool{}
	for _, p := range d.Points {
		used[p.Class] = true
	}
	out := slices.Clone(d.Classes) // those without points keep their place, and so their colour
	var rest []string
	for c := range used {
		if !slices.Contains(out, c) {
			rest = append(rest, c)
		}
	}
	sort.Strings(rest)
	return append(out, rest...)
}

// scatterPlot is a scatter being drawn: y's coordinates shrink as times grow.
type scatterPlot struct {
	ScatterData
	canvas
	x, y logScale
}

// frame draws the axes.
func (p *scatterPlot) frame(lowest bool) {
	p.bottomLog(p.x, p.y.from, p.y.to, lowest)
	p.leftLog(p.y, p.x.from, p.x.to, lowest)
	p.element("rect", "", attr{"x", p.x.from}, attr{"y", p.y.to}, attr{"width", side}, attr{"height", side}, attr{"fill", "none"},
		attr{"stroke", "currentColor"})
	p.fitted(p.x.from+side/2, p.y.from+38, side, "middle", p.XLabel+", seconds")
	p.open("g", attr{"transform", "translate(16 " + num(p.y.to+side/2) + ") rotate(-90)"})
	p.fitted(0, 0, side, "middle", p.YLabel+", seconds")
	p.close("g")
}

// diagonals draws where both are as fast, and where one is ten times as fast.
func (p *scatterPlot) diagonals() {
	lo, hi := p.x.lo, p.x.hi
	p.line(p.x.at(lo), p.y.at(lo), p.x.at(hi), p.y.at(hi), attr{"stroke-opacity", 0.6})
	if hi/lo <= 10 {
		return
	}
	thin, small := []attr{{"stroke-opacity", 0.5}, {"stroke-dasharray", "4 4"}}, attr{"font-size", 10.0}
	p.line(p.x.at(lo), p.y.at(10*lo), p.x.at(hi/10), p.y.at(hi), thin...)
	p.line(p.x.at(10*lo), p.y.at(lo), p.x.at(hi), p.y.at(hi/10), thin...)
	p.text(p.x.at(hi)-4, p.y.at(hi/10)+16, "end", "10× faster", small)
	p.text(p.x.at(hi/10)-12, p.y.at(hi)+12, "end", "10× slower", small)
}

// lanes draws the border strips, where they are used.
func (p *scatterPlot) lanes() {
	var right, above bool
	for _, pt := range p.Points {
		right, above = right || pt.XOut != "", above || pt.YOut != ""
	}
	strip := []attr{{"fill", "currentColor"}, {"fill-opacity", 0.08}}
	if right {
		p.element("rect", "", append([]attr{{"x", p.x.to}, {"y", p.y.to - lane}, {"width", lane}, {"height", side + lane}}, strip...)...)
		p.open("g", attr{"transform", "translate(" + num(p.x.to+lane+12) + " " + num(p.y.from) + ") rotate(-90)"})
		p.text(0, 0, "start", "no answer", attr{"font-size", 10.0})
		p.close("g")
	}
	if above {
		p.element("rect", "", append([]attr{{"x", p.x.from}, {"y", p.y.to - lane}, {"width", side + lane}, {"height", lane}}, strip...)...)
		p.text(p.x.from-8, p.y.to-lane/2+4, "end", "no answer", attr{"font-size", 10.0})
	}
}

// point draws a task.
func (p *scatterPlot) point(pt Point, class int) {
	x, y := p.x.to+lane/2, p.y.to-lane/2
	xs, ys := pt.XOut, pt.YOut
	if xs == "" {
		x, xs = p.x.at(pt.X), seconds(pt.X)+" s"
	}
	if ys == "" {
		y, ys = p.y.at(pt.Y), seconds(pt.Y)+" s"
	}
	p.mark(class, x, y, 4, fmt.Sprintf("%s\n%s: %s\n%s: %s\n%s", pt.Title, p.XLabel, xs, p.YLabel, ys, pt.Class))
}

// entries are the legend: the classes that have points, with their numbers.
func (p *scatterPlot) entries(classes []string) []entry {
	var out []entry
	for i, class := range classes {
		n := 0
		for _, pt := range p.Points {
			if pt.Class == class {
				n++
			}
		}
		if n > 0 {
			out = append(out, entry{fmt.Sprintf("%s (%d)", class, n), func(x, y float64) { p.mark(i, x, y, 4, "") }})
		}
	}
	return out
}
