/*
 * Any number of threads draw tickets from 0 to 3, round and round, and wait for their turn.
 *
 * unreach-call: true, who finds the ring full goes away, so that no ticket is out twice.
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
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
unsigned next, serving;
int inside;
void *worker(void *arg)
{
	unsigned mine = 4;
	__VERIFIER_atomic_begin();
	if ((next + 1) % 4 != serving) {
		mine = next;
		next = (next + 1) % 4;
	}
	__VERIFIER_atomic_end();
	if (mine == 4)
		return 0;
	unsigned now;
	do {
		__VERIFIER_atomic_begin();
		now = serving;
		__VERIFIER_atomic_end();
	} while (now != mine);
	inside++;
	__VERIFIER_assert(inside == 1);
	inside--;
	__VERIFIER_atomic_begin();
	serving = (serving + 1) % 4;
	__VERIFIER_atomic_end();
	return 0;
}
int main(void)
{
	pthread_t t;
	while (1)
		pthread_create(&t, 0, worker, 0);
}
