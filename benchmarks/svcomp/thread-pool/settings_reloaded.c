/*
 * Main goes on changing a setting while threads run.
 *
 * unreach-call: true, main stores positive numbers only.
 * no-data-race: false, main's later stores and the reads of threads that are already there are not ordered.
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
int width = 1;
void *worker(void *arg)
{
	int w = width;
	__VERIFIER_assert(w > 0);
	return 0;
}
int main(void)
{
	pthread_t t;
	while (__VERIFIER_nondet_bool()) {
		pthread_create(&t, 0, worker, 0);
		width = 3;
	}
	return 0;
}
