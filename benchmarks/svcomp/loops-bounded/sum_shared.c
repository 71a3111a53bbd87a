/*
 * Two threads add up one half each of a constant table into one plain sum.
 *
 * unreach-call: false, an addition may be lost between another thread's load and store.
 * no-data-race: false, both threads read and write the sum with nothing between them.
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
const int table[6] = { 1, 2, 3, 4, 5, 6 };
int sum;
void *worker(void *arg)
{
	long half = (long)arg;
	for (int i = 0; i < 3; i++)
		sum += table[3 * half + i];
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(sum == 21);
	return 0;
}
