package plot

import (
	"fmt"
	"io"
	"math"
	"strconv"
)

// Bar is a row of a bar plot.
type Bar struct {
	Name string
	// Values are the lengths of its parts, one for each of the plot's parts.
	Values []float64
}

// BarsData is a plot of horizontal bars, each made of parts that are laid end to end.
type BarsData struct {
	// Title is above the plot ("" for none), Label below the axis.
	Title, Label string
	// Parts names the parts.
	Parts []string
	Bars  []Bar
}

// Sizes of a bar plot, in pixels.
const (
	barsWidth = 480.0
	barHeight = 20.0
	barStep   = 30.0
)

// Bars draws stacked horizontal bars, with the value in each part that has the room and
// the total after the bar. It fails on a bar without a value for each part, and on values
// that are negative or not numbers.
func Bars(w io.Writer, d BarsData) error {
	longest, err := d.longest()
	if err != nil {
		return err
	}
	const names, right = 150.0, 70.0
	top := 14.0
	if d.Title != "" {
		top += 22
	}
	bottom := top + math.Max(barStep*float64(len(d.Bars)), barStep)
	steps := niceSteps(0, longest, 6)
	scale := func(v float64) float64 { return names + v/steps[len(steps)-1]*barsWidth }
	c := &canvas{}
	if d.Title != "" {
		c.fitted(names, 22, barsWidth, "start", d.Title, attr{"font-weight", "bold"})
	}
	for _, v := range steps {
		c.line(scale(v), top, scale(v), bottom, faint())
		c.text(scale(v), bottom+18, "middle", number(v))
	}
	c.line(names, top, names, bottom)
	c.fitted(names+barsWidth/2, bottom+38, barsWidth, "middle", d.Label)
	for i, b := range d.Bars {
		y := top + barStep*float64(i) + (barStep-barHeight)/2
		c.fitted(names-8, y+barHeight/2+4, names-12, "end", b.Name)
		c.bar(d, b, y, scale)
	}
	end := c.legend(names, bottom+64, barsWidth, d.entries(c))
	return c.write(w, names+barsWidth+right, end, fmt.Sprintf("Bars: %s, %d rows", d.Label, len(d.Bars)))
}

// longest is the greatest sum of a bar; every value is checked.
func (d *BarsData) longest() (float64, error) {
	longest := 0.0
	for _, b := range d.Bars {
		if len(b.Values) != len(d.Parts) {
			return 0, fmt.Errorf("bar %s: %d values for %d parts", b.Name, len(b.Values), len(d.Parts))
		}
		sum := 0.0
		for i, v := range b.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
				return 0, fmt.Errorf("bar %s: the value %v of %s cannot be drawn", b.Name, v, d.Parts[i])
			}
			sum += v
		}
		longest = math.Max(longest, sum)
	}
	return longest, nil
}

// bar draws a row's parts and its total.
func (c *canvas) bar(d BarsData, b Bar, y float64, scale func(float64) float64) {
	at := 0.0
	for i, v := range b.Values {
		if v == 0 {
			continue
		}
		x, width := scale(at), scale(at+v)-scale(at)
		at += v
		c.element("rect", fmt.Sprintf("%s\n%s: %s", b.Name, d.Parts[i], number(v)), attr{"x", x}, attr{"y", y}, attr{"width", width},
			attr{"height", barHeight}, attr{"fill", palette(i)})
		if s := number(v); textWidth(s)+6 < width {
			c.text(x+width/2, y+barHeight/2+4, "middle", s, attr{"fill", ink(palette(i))}, attr{"pointer-events", "none"})
		}
	}
	c.text(scale(at)+6, y+barHeight/2+4, "start", number(at))
}

func (d *BarsData) entries(c *canvas) []entry {
	var out []entry
	for i, name := range d.Parts {
		out = append(out, entry{name, func(x, y float64) {
			c.element("rect", "", attr{"x", x - 6}, attr{"y", y - 6}, attr{"width", 12.0}, attr{"height", 12.0}, attr{"fill", palette(i)})
		}})
	}
	return out
}

// number prints a value of an axis without digits that only the arithmetic made.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatInt(int64(v), 10)
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	if err != nil {
		panic(err)
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}
