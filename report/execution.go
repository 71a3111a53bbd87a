package report

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"whoop/ir"
	"whoop/trace"
)

// ExecutionOptions lay out Execution.
type ExecutionOptions struct {
	// Width of a line (default 110). Columns are used for at most Columns threads
	// (default 3), a tag before each step for more.
	Width, Columns int
	// Color uses ANSI colours: for switches (another one where the thread could have gone
	// on), and for what the bug consists in.
	Color bool
}

// Execution prints an execution: a column each thread, time running down; context
// switches are marked.
func Execution(w io.Writer, x *trace.Execution, opt ExecutionOptions) error {
	if opt.Width == 0 {
		opt.Width = 110
	}
	if opt.Columns == 0 {
		opt.Columns = 3
	}
	out := bufio.NewWriter(w)
	l := &layout{x: x, opt: opt, w: out, src: newSources(), col: map[int]int{}, at: map[int]ir.Pos{}}
	l.run()
	return out.Flush()
}

// Interleaving is an execution as Execution prints it; "" for none.
func Interleaving(x *trace.Execution) string {
	var b strings.Builder
	if x != nil {
		_ = Execution(&b, x, ExecutionOptions{}) // a Builder takes everything
	}
	return b.String()
}

// layout is the state of the printer.
type layout struct {
	x     *trace.Execution
	opt   ExecutionOptions
	src   *sources
	w     io.Writer
	col   map[int]int // of threads
	order []int
	width int
	at    map[int]ir.Pos // the source line a thread's column shows
	// beside: the accesses of a race have begun.
	beside bool
}

func (l *layout) run() {
	if len(l.x.Before) > 0 {
		fmt.Fprintf(l.w, "  called before: %s\n", strings.Join(l.x.Before, ", "))
	}
	for _, s := range l.x.Steps {
		if _, ok := l.col[int(s.Thread)]; !ok {
			l.col[int(s.Thread)] = len(l.order)
			l.order = append(l.order, int(s.Thread))
		}
	}
	n := max(len(l.order), 1)
	if n > l.opt.Columns {
		n = 1
	}
	l.width = (l.opt.Width - 2) / n
	if n > 1 {
		var head []string
		for _, t := range l.order {
			head = append(head, padded(l.name(t), l.width-2))
		}
		fmt.Fprintf(l.w, "  %s\n  %s\n", strings.TrimRight(strings.Join(head, "  "), " "), strings.Repeat("-", l.opt.Width-2))
	}
	for _, run := range runs(l.x.Steps) {
		for _, f := range fold(telling(run)) {
			if f.turns > 0 {
				l.note(int(run[0].Thread), n, count(f.turns, "more iteration like this", "more iterations like this"))
			} else {
				l.steps(f.steps, n)
			}
		}
	}
	l.end()
}

// steps prints steps of one thread, the first and the last where there are many.
func (l *layout) steps(run []trace.Step, n int) {
	if len(run) > longRun {
		l.steps(run[:longRun/2], n)
		l.note(int(run[0].Thread), n, count(len(run)-longRun, "more step", "more steps"))
		run = run[len(run)-longRun/2:]
	}
	for _, s := range run {
		l.step(s, n)
	}
}

// note prints a remark in a thread's column.
func (l *layout) note(thread, n int, text string) {
	if n > 1 {
		l.cell(l.col[thread]*l.width, "    … "+text+" …", switchColor)
		return
	}
	l.cell(0, fmt.Sprintf("T%d     … %s …", thread, text), switchColor)
}

// longRun is how many steps of a thread without a switch are shown in full: of more, the
// first and the last.
const longRun = 100

// runs divides the steps where the thread changes.
func runs(steps []trace.Step) [][]trace.Step {
	var out [][]trace.Step
	for i, s := range steps {
		if i == 0 || s.Switch || s.Again {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], s)
	}
	return out
}

func (l *layout) name(t int) string {
	if t < len(l.x.Threads) {
		return l.x.Threads[t]
	}
	return fmt.Sprintf("T%d", t)
}

func (l *layout) step(s trace.Step, n int) {
	if s.Again {
		fmt.Fprintf(l.w, "  %s\n", l.paint(bugColor, "-- from here on, again and again:"))
	}
	switch {
	case s.Last && l.x.Trace.Bug.Kind == "race": // who goes first of the two is not counted
		if !l.beside {
			b := &l.x.Trace.Bug
			fmt.Fprintf(l.w, "  %s\n", l.paint(bugColor, fmt.Sprintf("-- side by side: %s and %s", l.name(int(b.Thread)), l.name(int(b.Other)))))
			l.beside = true
		}
	case s.Switch:
		why, color := "which waits or has ended", switchColor
		if s.Preempted {
			why, color = "which could have gone on", preemptionColor
		}
		fmt.Fprintf(l.w, "  %s\n", l.paint(color, fmt.Sprintf("-- context switch: %s -> %s (%s)", l.name(int(s.From)), l.name(int(s.Thread)), why)))
	}
	if s.Text == "" {
		return
	}
	tag, indent := "", 0
	if n > 1 {
		indent = l.col[int(s.Thread)] * l.width
	} else {
		tag = fmt.Sprintf("T%d ", s.Thread)
	}
	line, what := ir.Pos{File: s.Pos.File, Line: s.Pos.Line}, ""
	if lib, ok := trace.Library(s.Pos); ok {
		line.Line, what = 1, "in package "+lib
	} else if line.Line > 0 {
		what = fmt.Sprintf("%s:%d  %s", filepath.Base(s.Pos.File), s.Pos.Line, l.line(s.Pos))
	}
	if what != "" && l.at[int(s.Thread)] != line {
		l.at[int(s.Thread)] = line
		l.cell(indent, tag+what, "")
	}
	text, color := "    "+s.Text, ""
	if s.Last {
		text, color = "  > "+s.Text, bugColor
	}
	if len(s.Locks) > 0 {
		text += "  {" + strings.Join(s.Locks, ", ") + "}"
	}
	l.cell(indent, tag+text, color)
}

// The colours of TextOptions.Color.
const switchColor, preemptionColor, bugColor = "36", "33", "31"

// paint colours a text where colours are wanted.
func (l *layout) paint(color, s string) string {
	if !l.opt.Color || color == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// cell prints a line in a column.
func (l *layout) cell(indent int, text, color string) {
	text = strings.ReplaceAll(text, "\t", " ")
	if r := []rune(text); len(r) > l.width-2 && l.width > 8 {
		text = string(r[:l.width-5]) + "..."
	}
	fmt.Fprintf(l.w, "  %s%s\n", strings.Repeat(" ", indent), l.paint(color, text))
}

// padded is a text of n characters.
func padded(s string, n int) string {
	r := []rune(s)
	if len(r) > n {
		return string(r[:n])
	}
	return s + strings.Repeat(" ", n-len(r))
}

// end says in words what the execution ends with.
func (l *layout) end() {
	b := l.x.Trace.Bug
	switch b.Kind {
	case "deadlock", "goroutine-leak":
		fmt.Fprintf(l.w, "  %s\n", l.paint(bugColor, b.Kind+":"))
		for i := range l.x.Waits {
			l.wait(&l.x.Waits[i])
		}
	case "race":
		fmt.Fprintf(l.w, "  %s %s at %s and %s at %s access the same memory, and nothing orders them\n", l.paint(bugColor, "race:"), l.name(int(b.Thread)), b.At.Pos(),
			l.name(int(b.Other)), b.AtToo.Pos())
	case "livelock":
		fmt.Fprintf(l.w, "  %s %s\n", l.paint(bugColor, "livelock:"), b.Message)
	default:
		fmt.Fprintf(l.w, "  %s %s at %s: %s\n", l.paint(bugColor, b.Kind+":"), l.name(int(b.Thread)), b.At.Pos(), b.Message)
	}
	fmt.Fprintf(l.w, "  %s, %s\n", count(l.x.Switches, "context switch", "context switches"), count(l.x.Preemptions, "of them a preemption", "of them preemptions"))
}

// wait says where a thread waits and for what, and what it holds.
func (l *layout) wait(w *trace.Wait) {
	fmt.Fprintf(l.w, "    %s at %s %s", l.name(int(w.Thread)), w.Pos, w)
	for i, h := range w.Held {
		sep := "; "
		if i == 0 {
			sep = ", holding "
		}
		fmt.Fprintf(l.w, "%s%s, taken at %s", sep, h.Lock, h.Pos)
	}
	fmt.Fprintln(l.w)
}

// count is a number with the word for one or for several.
func count(n int, one, several string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, several)
}

// line is the text of a source line.
func (l *layout) line(p ir.Pos) string {
	text, _ := l.src.line(p)
	return strings.TrimSpace(text)
}
