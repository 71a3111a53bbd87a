/*
 * Each of four threads writes the element of its own number.
 *
 * unreach-call: true, element i holds i + 1 after thread i has ended.
 * no-data-race: true, the elements are different, main reads after all joins.
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
#define N 4
int a[N];
void *worker(void *arg)
{
	long i = (long)arg;
	a[i] = (int)i + 1;
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	for (int i = 0; i < N; i++)
		__VERIFIER_assert(a[i] == i + 1);
	return 0;
}
