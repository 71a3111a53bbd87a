/*
 * The states are plain variables, tested and set.
 *
 * unreach-call: false, two workers may both find a task open and run it.
 * no-data-race: false, the states are read and written with no synchronisation.
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
int state[2], runs[2];
void *worker(void *arg)
{
	for (int i = 0; i < 2; i++) {
		if (state[i] == 0) {
			state[i] = 1;
			runs[i]++;
		}
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(runs[0] <= 1 && runs[1] <= 1);
	return 0;
}
