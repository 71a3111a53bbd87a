/*
 * Two threads add up one half each of a constant table.
 *
 * unreach-call: true, each thread writes its own sum; together they are 1 + ... + 6.
 * no-data-race: true, the table is only read, the sums are the threads' own until the joins.
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
int sum[2];
void *worker(void *arg)
{
	long half = (long)arg;
	for (int i = 0; i < 3; i++)
		sum[half] += table[3 * half + i];
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)1);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(sum[0] + sum[1] == 21);
	return 0;
}
