// Package permission says who may access what, and how that is handed on.
//
// A resource stands for the right to access some memory: a lock, an object that a thread
// got when it was started, a number that was drawn. Its shares are those of fractional
// permissions (Boyland, SAS 2003): all of it (Full), any part (Some), nothing (None).
// Each share lies with a thread, with the environment, or with a synchronisation object.
// A Transfer is how an instruction moves one; inhale and exhale are the words of Chalice
// (Leino, Müller, ESOP 2009).
//
// In go the transfers of a thread's instructions, out come the two ghost registers of the
// thread (Ledger) as instructions of the IR, and the obligations that the thread has what
// it hands on. Which resources there are, and what instructions do to them, is said by
// the theories of package lockset; docs/explanation/permissions.md has the lemma and its
// proof.
//
//	t := permission.Transfer{Kind: permission.Exhale, Share: permission.Full, If: same, Owed: true}
//	assert := ledger.Obligation(t, true)  // proved before the instruction
//	update := ledger.Apply(t, in.At())    // runs after it
package permission
