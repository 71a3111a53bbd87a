/*
 * Any number of threads exclude each other by tickets that are taken in two steps.
 *
 * unreach-call: false, two threads may have the same ticket.
 * no-data-race: false, then both access the counter.
 */
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned next, turn;
int inside;
void *worker(void *arg)
{
	unsigned mine, now;
	__VERIFIER_atomic_begin();
	mine = next;
	__VERIFIER_atomic_end();
	__VERIFIER_atomic_begin();
	next = mine + 1;
	__VERIFIER_atomic_end();
	do {
		__VERIFIER_atomic_begin();
		now = turn;
		__VERIFIER_atomic_end();
	} while (now != mine);
	inside = 1;
	__VERIFIER_assert(inside == 1);
	inside = 0;
	__VERIFIER_atomic_begin();
	turn = turn + 1;
	__VERIFIER_atomic_end();
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool())
		pthread_create(&t, 0, worker, 0);
	return 0;
}
