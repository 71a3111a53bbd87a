/*
 * Any number of threads exclude each other by tickets; when there are no more tickets, threads wait for ever.
 *
 * unreach-call: true, no two threads have the same ticket, and only the one whose turn it is gets on.
 * no-data-race: true, the tickets are accessed in atomic sections, the counter by whose turn it is.
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
	if (next == 4294967295u)
		abort();
	mine = next;
	next = next + 1;
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
