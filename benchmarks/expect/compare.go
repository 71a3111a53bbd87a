package expect

import "slices"

// Outcome is how the lines that a report names compare with a file's marks.
type Outcome struct {
	Missed []int // RACE!, and not reported: unsound
	Alarms []int // reported without RACE! or RACE: a false alarm that is not known
	Known  []int // RACE, and reported
	Ruled  []int // RULED OUT, and reported
	Gone   []int // RACE or RULED OUT, and no longer reported: the mark should go
	Seen   []int // UNSEEN, and reported: the mark should become RACE!
	Races  int   // lines with RACE!
}

// Compare holds the reported lines of a file against its marks.
func Compare(want map[int]Mark, got map[int]bool) Outcome {
	var o Outcome
	for line, e := range want {
		switch {
		case e == Race:
			o.Races++
			if !got[line] {
				o.Missed = append(o.Missed, line)
			}
		case e == Alarm && got[line]:
			o.Known = append(o.Known, line)
		case e == Ruled && got[line]:
			o.Ruled = append(o.Ruled, line)
		case e == Alarm || e == Ruled:
			o.Gone = append(o.Gone, line)
		}
	}
	for line := range got {
		switch e := want[line]; {
		case e == Unseen:
			o.Seen = append(o.Seen, line)
		case e != Race && e != Alarm && e != Ruled:
			o.Alarms = append(o.Alarms, line)
		}
	}
	for _, l := range [][]int{o.Missed, o.Alarms, o.Known, o.Ruled, o.Gone, o.Seen} {
		slices.Sort(l)
	}
	return o
}

// Add counts the lines of another file as well.
func (o *Outcome) Add(x Outcome) {
	o.Missed, o.Alarms = append(o.Missed, x.Missed...), append(o.Alarms, x.Alarms...)
	o.Known, o.Gone = append(o.Known, x.Known...), append(o.Gone, x.Gone...)
	o.Ruled, o.Seen = append(o.Ruled, x.Ruled...), append(o.Seen, x.Seen...)
	o.Races += x.Races
}
