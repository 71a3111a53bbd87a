/*
 * All threads get the address of the same variable, which main goes on changing.
 *
 * unreach-call: false, main may change the variable between a thread's two reads.
 * no-data-race: false, main's increment and the threads' reads are not ordered.
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
unsigned id;
void *worker(void *arg)
{
	unsigned *p = arg;
	unsigned first = *p;
	unsigned second = *p;
	__VERIFIER_assert(first == second);
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool()) {
		pthread_create(&t, 0, worker, &id);
		id++;
	}
	return 0;
}
