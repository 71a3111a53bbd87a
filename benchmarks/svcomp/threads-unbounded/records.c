/*
 * Any number of threads take records of three slots each from an array, under a lock of their own, and note the newest.
 *
 * unreach-call: true, the first record begins at slot 1, and what was noted is never taken back.
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
#define SIZE 301
int taken;
int next = 1;
int newest;
int slots[SIZE];
static void enter(void)
{
	int was = 1;
	while (was) {
		__VERIFIER_atomic_begin();
		was = taken;
		taken = 1;
		__VERIFIER_atomic_end();
	}
}
static void leave(void)
{
	__VERIFIER_atomic_begin();
	taken = 0;
	__VERIFIER_atomic_end();
}
void *worker(void *arg)
{
	for (;;) {
		int mine = 0;
		enter();
		if (next + 2 < SIZE) {
			mine = next;
			next += 3;
		}
		leave();
		if (mine == 0)
			return 0;
		slots[mine] = mine;
		slots[mine + 1] = newest;
		slots[mine + 2] = 0;
		enter();
		newest = mine;
		leave();
		enter();
		__VERIFIER_assert(newest != 0);
		leave();
	}
}
int main(void)
{
	pthread_t t;
	while (1)
		pthread_create(&t, 0, worker, 0);
}
