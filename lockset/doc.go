// Package lockset proves that entry points cannot race, by symbolic lockset analysis
// (Deligiannis, PhD thesis 2017, chapter 3; Deligiannis, Donaldson, Rakamarić, ASE 2015).
//
// In go a program, its points-to facts and what may happen in parallel; out comes a
// diag.Report. The stages:
//
//   - facts: the accesses to shared memory, and the memory regions on which two entries
//     can conflict at all;
//   - locks: which locks might protect a region. A lock is named by a function of the
//     watched address: a constant (a global lock), a distance within the same object
//     (dev->lock for dev->count), or the same index in another array;
//   - instrument: the sequential program of an entry (seqz) gets ghost registers: for
//     each lock function, whether the lock at that address is held exclusively, and
//     whether it is held at all. At each access an assertion says: if the address is the
//     watched one, the lock is held. The watched address is an unconstrained constant
//     (the watchdog of section 3.4.5), so what is proved for it is proved for the whole
//     region;
//   - summaries: Houdini finds which of the assertions are true. The result, for each
//     access, the locks that are surely held, is the entry's summary: inferred once per
//     entry point;
//   - pairs: two accesses of a pair race unless they cannot conflict, cannot overlap, or
//     have a common lock. This is a comparison of two summaries.
//
// Deviation from the thesis: its locksets are intersected over all accesses of a region
// in an entry; ours are kept per access, which is more precise and gives the report for
// nothing.
package lockset
