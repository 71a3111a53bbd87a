/*
 * One thread adds up an array, two others its first part and the rest.
 *
 * unreach-call: true, the sums of the parts are the sum of the whole: let the first thread go round with the second until that has ended, and with the third then.
 * no-data-race: true, the array is written before the threads start, and each sum has one thread.
 */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}

int n, m;
unsigned *a;
unsigned whole, left, right;
void *all(void *arg)
{
	for (int i = 0; i < n; i++)
		whole += a[i];
	return 0;
}
void *lower(void *arg)
{
	for (int i = 0; i < m; i++)
		left += a[i];
	return 0;
}
void *upper(void *arg)
{
	for (int i = m; i < n; i++)
		right += a[i];
	return 0;
}
int main(void)
{
	pthread_t t, u, v;
	n = __VERIFIER_nondet_int();
	m = __VERIFIER_nondet_int();
	if (m < 0 || m > n || n > 100000)
		return 0;
	a = malloc(n * sizeof *a);
	for (int i = 0; i < n; i++)
		a[i] = __VERIFIER_nondet_int();
	pthread_create(&t, 0, all, 0);
	pthread_create(&u, 0, lower, 0);
	pthread_create(&v, 0, upper, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	__VERIFIER_assert(whole == left + right);
	return 0;
}
