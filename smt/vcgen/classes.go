package vcgen

// Classes is a set of classes of memory, by their numbers, which may be negative.
type Classes []uint64

// bit is where a class is: numbers of either sign in turn.
func bit(class int) (word int, mask uint64) {
	n := 2 * class
	if class < 0 {
		n = -n - 1
	}
	return n / 64, 1 << (n % 64)
}

// Has reports whether the set has a class.
func (c Classes) Has(class int) bool {
	w, m := bit(class)
	return w < len(c) && c[w]&m != 0
}

// Add adds a class.
func (c *Classes) Add(class int) {
	w, m := bit(class)
	for len(*c) <= w {
		*c = append(*c, 0)
	}
	(*c)[w] |= m
}

// Merge adds all classes of another set, and reports whether one is new.
func (c *Classes) Merge(from Classes) bool {
	changed := false
	for len(*c) < len(from) {
		*c = append(*c, 0)
	}
	for i, w := range from {
		changed = changed || w&^(*c)[i] != 0
		(*c)[i] |= w
	}
	return changed
}
