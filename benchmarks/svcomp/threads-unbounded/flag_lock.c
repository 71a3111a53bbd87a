/*
 * Any number of threads exclude each other by a flag that is tested and set in one step.
 *
 * unreach-call: true, only the thread that set the flag gets on, and only it clears it.
 * no-data-race: true, the flag is accessed in atomic sections, the counter by who has set it.
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
int flag, inside;
void *worker(void *arg)
{
	int old;
	do {
		__VERIFIER_atomic_begin();
		old = flag;
		flag = 1;
		__VERIFIER_atomic_end();
	} while (old);
	inside++;
	__VERIFIER_assert(inside == 1);
	inside--;
	__VERIFIER_atomic_begin();
	flag = 0;
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
