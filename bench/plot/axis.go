package plot

import (
	"math"
	"strconv"
)

// least is the shortest time that an axis shows; shorter ones are drawn there.
const least = 0.01

// logScale maps times from lo to hi to coordinates.
type logScale struct{ lo, hi, from, to float64 }

// newLogScale is a scale for times from min to max; it ends at the limit where there is
// one (0: none).
func newLogScale(lo, hi, limit float64) logScale {
	s := logScale{lo: math.Pow10(int(math.Floor(math.Log10(math.Max(lo, least)) + 1e-9)))}
	s.hi = math.Pow10(int(math.Ceil(math.Log10(math.Max(hi, least)) - 1e-9)))
	if limit > 0 {
		s.hi = limit
	}
	for s.hi <= s.lo {
		if limit > 0 {
			s.lo /= 10
		} else {
			s.hi *= 10
		}
	}
	return s
}

// between places the scale.
func (s logScale) between(from, to float64) logScale {
	s.from, s.to = from, to
	return s
}

// at is the coordinate of a time; times outside the scale are at its ends.
func (s logScale) at(v float64) float64 {
	v = math.Min(math.Max(v, s.lo), s.hi)
	return s.from + (math.Log10(v)-math.Log10(s.lo))/(math.Log10(s.hi)-math.Log10(s.lo))*(s.to-s.from)
}

// tick is a mark of an axis; minor ones have no label.
type tick struct {
	v     float64
	label string
}

// ticks are the powers of ten with their labels, the numbers between without, or with
// where there is room, and the end.
func (s logScale) ticks() []tick {
	var out []tick
	few := s.hi/s.lo < 300
	for e := int(math.Round(math.Log10(s.lo))); math.Pow10(e) < s.hi*(1+1e-9); e++ {
		for m := 1.0; m < 10; m++ {
			v := m * math.Pow10(e)
			if v > s.hi*(1+1e-9) {
				break
			}
			t := tick{v: v}
			// Labels near the end would run into the end's.
			if (m == 1 || few && (m == 2 || m == 5)) && s.hi/v > 1.35 {
				t.label = seconds(v)
			}
			if s.hi/v > 1+1e-9 {
				out = append(out, t)
			}
		}
	}
	return append(out, tick{s.hi, seconds(s.hi)})
}

// seconds prints a time with at most three digits that count.
func seconds(v float64) string { return strconv.FormatFloat(roundTo3(v), 'f', -1, 64) }

func roundTo3(v float64) float64 {
	if v <= 0 {
		return 0
	}
	// Parsing what was printed avoids digits that only the arithmetic made.
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		panic(err)
	}
	return r
}

// faint makes a line stay behind the data.
func faint() attr { return attr{"stroke-opacity", 0.18} }

// bottomLog draws a logarithmic axis below a plot that reaches from top to y; lowest
// marks the first label as "or less".
func (c *canvas) bottomLog(s logScale, y, top float64, lowest bool) {
	for i, t := range s.ticks() {
		x := s.at(t.v)
		c.tickLabel(t, i == 0 && lowest, func(label string) {
			c.line(x, y, x, top, faint())
			c.text(x, y+18, "middle", label)
		})
		c.line(x, y, x, y+tickLength(t))
	}
}

// leftLog draws a logarithmic axis left of a plot that reaches from x to right.
func (c *canvas) leftLog(s logScale, x, right float64, lowest bool) {
	for i, t := range s.ticks() {
		y := s.at(t.v)
		c.tickLabel(t, i == 0 && lowest, func(label string) {
			c.line(x, y, right, y, faint())
			c.text(x-8, y+4, "end", label)
		})
		c.line(x-tickLength(t), y, x, y)
	}
}

func (c *canvas) tickLabel(t tick, lowest bool, draw func(string)) {
	switch {
	case t.label == "":
	case lowest:
		draw("≤" + t.label)
	default:
		draw(t.label)
	}
}

func tickLength(t tick) float64 {
	if t.label == "" {
		return 3
	}
	return 5
}

// niceSteps are round numbers from lo to hi, about n of them, both ends covered.
func niceSteps(lo, hi float64, n int) []float64 {
	if hi <= lo {
		hi = lo + 1
	}
	step := math.Pow10(int(math.Floor(math.Log10((hi - lo) / float64(n)))))
	for _, f := range []float64{1, 2, 5, 10} {
		if (hi-lo)/(f*step) <= float64(n) {
			step *= f
			break
		}
	}
	var out []float64
	for k := math.Floor(lo / step); ; k++ {
		out = append(out, k*step)
		if k*step >= hi {
			return out
		}
	}
}
