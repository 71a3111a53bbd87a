package plot

import (
	"fmt"
	"io"
	"math"
	"sort"
)

// Result is a configuration's result on a task.
type Result struct {
	Seconds float64
	// Solved: the answer is right.
	Solved bool
	// Score is negative for a wrong answer, and may not be positive for a task that is
	// not solved. It matters by score only.
	Score int
	// Title shows, with the time, while the mouse is on the result.
	Title string
}

// Series is a configuration with its results.
type Series struct {
	Name    string
	Results []Result
}

// QuantileData is a quantile plot of configurations.
type QuantileData struct {
	// Title is above the plot, "" for none.
	Title string
	// ByScore draws the score that the fastest right answers add up to, from the sum of
	// the negative scores on, as SV-COMP's plots do; without it, the number of right
	// answers.
	ByScore bool
	// Limit is the time limit in seconds, the end of the time axis; 0: it ends with the
	// longest time.
	Limit  float64
	Series []Series
}

// curve is a series as a stair: a step from x of the one before to x, at the height of
// the result.
type curve struct {
	name  string
	start float64
	steps []step
}

type step struct {
	x float64
	Result
}

// Sizes of a quantile plot, in pixels.
const (
	quantileWidth  = 560.0
	quantileHeight = 340.0
)

// Quantile draws a quantile ("cactus") plot: how many tasks, or what score, a
// configuration reaches when each task may take the time on the y axis. Further right is
// more, lower is faster. It fails on times that are negative or not numbers, on wrong
// answers that count as solved and on scores for tasks that are not solved.
func Quantile(w io.Writer, d QuantileData) error {
	curves, err := d.curves()
	if err != nil {
		return err
	}
	const left, right = 60.0, 24.0
	top := 14.0
	if d.Title != "" {
		top += 22
	}
	p := quantilePlot{curves: curves, x0: left, x1: left + quantileWidth}
	p.scales(d.Limit, top)
	if d.Title != "" {
		p.fitted(left, 22, quantileWidth, "start", d.Title, attr{"font-weight", "bold"})
	}
	p.frame(d.ByScore)
	var entries []entry
	for i := range curves {
		p.curve(i)
		entries = append(entries, p.entry(i, d.ByScore))
	}
	end := p.legend(left, top+quantileHeight+64, quantileWidth, entries)
	return p.write(w, left+quantileWidth+right, end, fmt.Sprintf("Quantile plot of %d configurations", len(curves)))
}

// curves sorts the right answers of each series by time and adds them up.
func (d *QuantileData) curves() ([]curve, error) {
	if err := checkTime("limit", d.Limit); err != nil {
		return nil, err
	}
	var out []curve
	for _, s := range d.Series {
		c := curve{name: s.Name}
		for _, r := range s.Results {
			if err := r.check(); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", s.Name, r.Title, err)
			}
			if r.Solved {
				c.steps = append(c.steps, step{Result: r})
			} else if d.ByScore {
				c.start += float64(r.Score)
			}
		}
		sort.SliceStable(c.steps, func(i, j int) bool {
			a, b := c.steps[i], c.steps[j]
			return a.Seconds < b.Seconds || a.Seconds == b.Seconds && a.Title < b.Title
		})
		at := c.start
		for i := range c.steps {
			if d.ByScore {
				at += float64(c.steps[i].Score)
			} else {
				at++
			}
			c.steps[i].x = at
		}
		out = append(out, c)
	}
	return out, nil
}

func (r *Result) check() error {
	switch {
	case r.Solved && r.Score < 0:
		return fmt.Errorf("solved with the score %d: a wrong answer solves nothing", r.Score)
	case !r.Solved && r.Score > 0:
		return fmt.Errorf("not solved, but with the score %d", r.Score)
	case r.Solved:
		return checkTime("result", r.Seconds)
	}
	return nil
}

// quantilePlot is a plot being drawn between x0 and x1.
type quantilePlot struct {
	canvas
	curves []curve
	steps  []float64 // labels of the x axis
	x0, x1 float64
	y      logScale
	lowest bool
}

// scales decides the axes from the data.
func (p *quantilePlot) scales(limit, top float64) {
	lo, hi := math.Inf(1), 0.0
	from, to := 0.0, 1.0
	for _, c := range p.curves {
		from = math.Min(from, c.start)
		for _, s := range c.steps {
			lo, hi = math.Min(lo, s.Seconds), math.Max(hi, s.Seconds)
			to = math.Max(to, s.x)
		}
	}
	if math.IsInf(lo, 1) {
		lo, hi = least, 100
	}
	s := newLogScale(lo, hi, limit)
	p.lowest = lo < s.lo
	p.y = s.between(top+quantileHeight, top)
	p.steps = niceSteps(from, to, 8)
}

// x is the coordinate of a number of tasks or a score.
func (p *quantilePlot) x(v float64) float64 {
	lo, hi := p.steps[0], p.steps[len(p.steps)-1]
	return p.x0 + (v-lo)/(hi-lo)*(p.x1-p.x0)
}

func (p *quantilePlot) frame(byScore bool) {
	p.leftLog(p.y, p.x0, p.x1, p.lowest)
	for _, v := range p.steps {
		x := p.x(v)
		opacity := faint()
		if v == 0 && p.steps[0] < 0 {
			opacity = attr{"stroke-opacity", 0.6}
		}
		p.line(x, p.y.from, x, p.y.to, opacity)
		p.line(x, p.y.from, x, p.y.from+5)
		p.text(x, p.y.from+18, "middle", number(v))
	}
	p.element("rect", "", attr{"x", p.x0}, attr{"y", p.y.to}, attr{"width", quantileWidth}, attr{"height", quantileHeight}, attr{"fill", "none"},
		attr{"stroke", "currentColor"})
	label := "tasks solved, fastest first"
	if byScore {
		label = "score, fastest right answers first, wrong ones taken off before"
	}
	p.text((p.x0+p.x1)/2, p.y.from+38, "middle", label)
	p.open("g", attr{"transform", "translate(16 " + num((p.y.from+p.y.to)/2) + ") rotate(-90)"})
	p.text(0, 0, "middle", "seconds for a task")
	p.close("g")
}

// curve draws a stair with about 20 marks, the last result among them.
func (p *quantilePlot) curve(i int) {
	c := p.curves[i]
	if len(c.steps) == 0 {
		return
	}
	x := p.x(c.start)
	d := "M" + num(x) + " " + num(p.y.at(c.steps[0].Seconds))
	for _, s := range c.steps {
		x = p.x(s.x)
		d += "V" + num(p.y.at(s.Seconds)) + "H" + num(x)
	}
	p.element("path", c.name, attr{"d", d}, attr{"fill", "none"}, attr{"stroke", palette(i)}, attr{"stroke-width", 2.0}, attr{"stroke-dasharray", dashes(i)})
	every := max(len(c.steps)/20, 1)
	for k, s := range c.steps {
		if (len(c.steps)-1-k)%every == 0 {
			p.mark(i, p.x(s.x), p.y.at(s.Seconds), 3.5, fmt.Sprintf("%s\n%s: %s s\n%s", c.name, number(s.x), seconds(s.Seconds), s.Title))
		}
	}
}

// entry is a series in the legend: its line, and what it reaches.
func (p *quantilePlot) entry(i int, byScore bool) entry {
	c := p.curves[i]
	name := fmt.Sprintf("%s: %d solved", c.name, len(c.steps))
	if byScore {
		total := c.start
		if n := len(c.steps); n > 0 {
			total = c.steps[n-1].x
		}
		name = fmt.Sprintf("%s: score %s", c.name, number(total))
	}
	return entry{name, func(x, y float64) {
		p.line(x-12, y, x+12, y, attr{"stroke", palette(i)}, attr{"stroke-width", 2.0}, attr{"stroke-dasharray", dashes(i)})
		p.mark(i, x, y, 3.5, "")
	}}
}
