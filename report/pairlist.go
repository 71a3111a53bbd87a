package report

import (
	"math/bits"

	"whoop/diag"
)

// maxPairList is how many pairs of entry points are listed of a group at most.
const maxPairList = 1000

// pairList is the pairs of entry points of a group: the first maxPairList of them, and how
// many there are. Reports on large libraries have groups of a million pairs, most of them
// said as each of some entries with each of others: they are bits in rows of a square.
type pairList struct {
	list   []string
	number map[string]int
	names  []string
	rows   []bitSet // whom an entry has a pair with, both ways round
	done   map[[2]string]bool
}

// bitSet is a set of entries, by their numbers.
type bitSet []uint64

func (s bitSet) has(i int) bool { return i/64 < len(s) && s[i/64]>>(i%64)&1 == 1 }

func (s *bitSet) add(i int) {
	for len(*s) <= i/64 {
		*s = append(*s, 0)
	}
	(*s)[i/64] |= 1 << (i % 64)
}

func (s *bitSet) addAll(t bitSet) {
	for len(*s) < len(t) {
		*s = append(*s, 0)
	}
	for i, w := range t {
		(*s)[i] |= w
	}
}

// key is equal for equal sets of the same length.
func (s bitSet) key() string {
	out := make([]byte, 0, 8*len(s))
	for _, w := range s {
		for k := 0; k < 64; k += 8 {
			out = append(out, byte(w>>k))
		}
	}
	return string(out)
}

// listPairs lists the pairs of races, that of the first race first.
func listPairs(races []diag.Race) *pairList {
	l := &pairList{number: map[string]int{}, done: map[[2]string]bool{}}
	for _, x := range races {
		l.add(x.First.Entry, x.Second.Entry)
		for _, p := range x.Pairs {
			a, b, _ := diag.CutPair(p)
			l.add(a, b)
		}
		for _, m := range x.Among {
			l.product(m)
		}
	}
	return l
}

// count is how many pairs there are.
func (l *pairList) count() int {
	n := 0
	for i, row := range l.rows {
		for k, w := range row {
			n += bits.OnesCount64(w)
			if k == i/64 && w>>(i%64)&1 == 1 {
				n++ // with itself: the others are there twice
			}
		}
	}
	return n / 2
}

func (l *pairList) of(name string) int {
	n, known := l.number[name]
	if !known {
		n = len(l.names)
		l.number[name] = n
		l.names, l.rows = append(l.names, name), append(l.rows, nil)
	}
	return n
}

func (l *pairList) add(a, b string) { l.note(l.of(a), l.of(b)) }

func (l *pairList) note(i, k int) {
	if l.rows[i].has(k) {
		return
	}
	l.rows[i].add(k)
	l.rows[k].add(i)
	if len(l.list) < maxPairList {
		l.list = append(l.list, l.names[i]+","+l.names[k])
	}
}

// product adds each of some entries with each of others, one by one as long as they are
// listed.
func (l *pairList) product(m diag.Among) {
	var first, second bitSet
	var firsts, seconds []int
	for _, a := range m.First {
		firsts = append(firsts, l.of(a))
		first.add(l.of(a))
	}
	for _, b := range m.Second {
		seconds = append(seconds, l.of(b))
		second.add(l.of(b))
	}
	k := [2]string{first.key(), second.key()}
	if l.done[k] {
		return
	}
	l.done[k] = true
	for _, i := range firsts {
		for _, k := range seconds {
			if len(l.list) == maxPairList {
				break
			}
			l.note(i, k)
		}
		l.rows[i].addAll(second)
	}
	for _, k := range seconds {
		l.rows[k].addAll(first)
	}
}
