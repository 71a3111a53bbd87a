package ir

// String returns the printed form, without the position.
func (i *Assign) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Load) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Store) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *RMW) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *CmpXchg) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Alloc) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Free) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *MemCopy) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *MemSet) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Touch) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Havoc) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Assume) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Assert) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Call) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Lock) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Unlock) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *LockInit) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *CondWait) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *CondSignal) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *SemInit) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *SemWait) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *SemPost) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *BarrierInit) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *BarrierWait) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Once) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Spawn) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Join) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Detach) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *AtomicBegin) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Await) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *AtomicEnd) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *IrqDisable) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *IrqEnable) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Register) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Unregister) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Fence) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Yield) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (t *Goto) String() string { return TermString(t) }

// String returns the printed form, without the position.
func (t *Branch) String() string { return TermString(t) }

// String returns the printed form, without the position.
func (t *Return) String() string { return TermString(t) }

// String returns the printed form, without the position.
func (t *Stop) String() string { return TermString(t) }
