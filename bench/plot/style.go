package plot

import (
	"fmt"
	"math"
	"strconv"
)

// palette holds colours that differ for colour-blind people, too, and that show on white
// and on black: Okabe and Ito's, without yellow and black.
func palette(i int) string {
	colours := [...]string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}
	return colours[i%len(colours)]
}

// dashes are the patterns of lines, the first solid: five, so that a pair of one of six
// colours and a pattern repeats after 30.
func dashes(i int) string {
	patterns := [...]string{"none", "7 3", "2 2", "9 3 2 3", "12 4"}
	return patterns[i%len(patterns)]
}

// shapes is how many kinds of marks there are: a pair of a colour and a mark repeats
// after 42.
const shapes = 7

// mark draws the i-th kind of mark around a place, r wide to each side.
func (c *canvas) mark(i int, x, y, r float64, hover string) {
	p := func(format string, at ...float64) string {
		s := make([]any, len(at))
		for k := range at {
			s[k] = num(at[k])
		}
		return fmt.Sprintf(format, s...)
	}
	colour := palette(i)
	fill := []attr{{"fill", colour}, {"fill-opacity", 0.7}, {"stroke", colour}}
	stroke := []attr{{"fill", "none"}, {"stroke", colour}, {"stroke-width", 2.0}}
	path := func(d string, style []attr) { c.element("path", hover, append([]attr{{"d", d}}, style...)...) }
	switch i % shapes {
	case 0:
		c.element("circle", hover, append([]attr{{"cx", x}, {"cy", y}, {"r", r}}, fill...)...)
	case 1:
		path(p("M%s %sL%s %sL%s %sZ", x, y-1.2*r, x+1.1*r, y+0.8*r, x-1.1*r, y+0.8*r), fill)
	case 2:
		c.element("rect", hover, append([]attr{{"x", x - 0.9*r}, {"y", y - 0.9*r}, {"width", 1.8 * r}, {"height", 1.8 * r}}, fill...)...)
	case 3:
		path(p("M%s %sL%s %sM%s %sL%s %s", x-r, y-r, x+r, y+r, x-r, y+r, x+r, y-r), stroke)
	case 4:
		path(p("M%s %sL%s %sL%s %sL%s %sZ", x, y-1.3*r, x+1.3*r, y, x, y+1.3*r, x-1.3*r, y), fill)
	case 5:
		path(p("M%s %sL%s %sL%s %sZ", x, y+1.2*r, x+1.1*r, y-0.8*r, x-1.1*r, y-0.8*r), fill)
	default:
		path(p("M%s %sL%s %sM%s %sL%s %s", x-1.2*r, y, x+1.2*r, y, x, y-1.2*r, x, y+1.2*r), stroke)
	}
}

// entry is a line of a legend; draw draws its sign around a place.
type entry struct {
	name string
	draw func(x, y float64)
}

// rowHeight is the distance of a legend's rows.
const rowHeight = 18.0

// legend writes the entries in rows from y on, within a width, and returns where they
// end.
func (c *canvas) legend(x0, y, width float64, entries []entry) float64 {
	x := x0
	for i, e := range entries {
		need := math.Min(38+textWidth(e.name), width)
		if i > 0 && x+need > x0+width {
			x, y = x0, y+rowHeight
		}
		e.draw(x+12, y-4)
		c.fitted(x+28, y, width-28, "start", e.name)
		x += need
	}
	return y + 8
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
