package plot

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// neutral is the colour of text and axes in a file: its contrast is above 4 on white and
// on black.
const neutral = "#767676"

// fontSize is that of labels, in pixels.
const fontSize = 12.0

// canvas collects the elements of a picture.
type canvas struct{ b bytes.Buffer }

// attr is an attribute of an element: a number or a text.
type attr struct {
	name  string
	value any
}

// num prints a coordinate: at most two digits after the point, none where they are zero.
func num(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

// escape makes a text safe in an element or an attribute; characters that XML cannot hold
// are replaced.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a Builder never fails
	return b.String()
}

// open begins an element; of two attributes with one name the later counts.
func (c *canvas) open(name string, attrs ...attr) {
	c.begin(name, attrs)
	c.b.WriteString(">\n")
}

func (c *canvas) close(name string) { c.b.WriteString("</" + name + ">\n") }

func (c *canvas) begin(name string, attrs []attr) {
	c.b.WriteString("<" + name)
	for i, a := range attrs {
		if slices.ContainsFunc(attrs[i+1:], func(b attr) bool { return b.name == a.name }) {
			continue
		}
		v := ""
		switch x := a.value.(type) {
		case float64:
			v = num(x)
		case string:
			v = escape(x)
		default:
			panic(fmt.Sprintf("attribute %s has a value of type %T", a.name, a.value))
		}
		c.b.WriteString(" " + a.name + `="` + v + `"`)
	}
}

// element writes an element with a text that shows while the mouse is on it; "" for none.
func (c *canvas) element(name, hover string, attrs ...attr) {
	c.begin(name, attrs)
	if hover == "" {
		c.b.WriteString("/>\n")
		return
	}
	c.b.WriteString("><title>" + escape(hover) + "</title></" + name + ">\n")
}

// line draws a straight line in the colour of the text.
func (c *canvas) line(x1, y1, x2, y2 float64, attrs ...attr) {
	c.element("line", "", append([]attr{{"x1", x1}, {"y1", y1}, {"x2", x2}, {"y2", y2}, {"stroke", "currentColor"}}, attrs...)...)
}

// text writes a text at a place; anchor is start, middle or end.
func (c *canvas) text(x, y float64, anchor, s string, attrs ...attr) {
	c.begin("text", append([]attr{{"x", x}, {"y", y}, {"text-anchor", anchor}, {"fill", "currentColor"}}, attrs...))
	c.b.WriteString(">" + escape(s) + "</text>\n")
}

// fitted is text, cut to a width; what was cut shows while the mouse is on it.
func (c *canvas) fitted(x, y, width float64, anchor, s string, attrs ...attr) {
	short := fit(s, width)
	if short == s {
		c.text(x, y, anchor, s, attrs...)
		return
	}
	c.begin("text", append([]attr{{"x", x}, {"y", y}, {"text-anchor", anchor}, {"fill", "currentColor"}}, attrs...))
	c.b.WriteString(">" + escape(short) + "<title>" + escape(s) + "</title></text>\n")
}

// write ends the picture: its size, a description for those who cannot see it, and the
// elements.
func (c *canvas) write(w io.Writer, width, height float64, label string) error {
	var head canvas
	head.begin("svg", []attr{{"xmlns", "http://www.w3.org/2000/svg"}, {"viewBox", "0 0 " + num(width) + " " + num(height)}, {"width", width},
		{"height", height}, {"role", "img"}, {"aria-label", label}, {"color", neutral}, {"font-family", "system-ui, sans-serif"}, {"font-size", fontSize}})
	head.b.WriteString(">\n")
	c.close("svg")
	if _, err := w.Write(head.b.Bytes()); err != nil {
		return err
	}
	_, err := w.Write(c.b.Bytes())
	return err
}

// textWidth estimates the width of a text in pixels; no font is at hand, so it is on the
// safe side.
func textWidth(s string) float64 { return 0.6 * fontSize * float64(utf8.RuneCountInString(s)) }

// fit cuts a text to a width, with an ellipsis for what is missing.
func fit(s string, width float64) string {
	if textWidth(s) <= width {
		return s
	}
	r := []rune(s)
	n := max(int(width/(0.6*fontSize))-1, 0)
	return string(r[:n]) + "…"
}

// checkTime reports a time that cannot be drawn.
func checkTime(what string, v float64) error {
	if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		return fmt.Errorf("%s: a time of %v seconds cannot be drawn", what, v)
	}
	return nil
}
