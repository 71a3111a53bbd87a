/*
 * An unknown number of threads, each with an element of its own in a block from the heap.
 *
 * unreach-call: true, after the joins element i holds i.
 * no-data-race: true, the elements are different, main reads after all joins.
 */
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
extern int __VERIFIER_nondet_int(void);
int *a;
void *worker(void *arg)
{
	long i = (long)arg;
	a[i] = (int)i;
	return 0;
}
int main(void)
{
	int n = __VERIFIER_nondet_int();
	if (n <= 0 || n > 100)
		return 0;
	pthread_t *t = malloc(n * sizeof *t);
	a = malloc(n * sizeof *a);
	if (!t || !a)
		return 0;
	for (long i = 0; i < n; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], 0);
	for (int i = 0; i < n; i++)
		__VERIFIER_assert(a[i] == i);
	return 0;
}
