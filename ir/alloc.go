package ir

// Amount is the size of what is allocated in bytes as Unit times N: Bytes, or Count
// elements.
func (i *Alloc) Amount() (n Expr, unit int64) {
	if i.Bytes != nil {
		return i.Bytes, 1
	}
	return i.Count, max(i.Elem.Size(), 0)
}

// End is the address behind what is allocated, where base is its start.
func (i *Alloc) End(base Expr) Expr {
	n, unit := i.Amount()
	return IndexAddr{Base: base, Idx: n, Stride: max(unit, 1), T: VPtr}
}
