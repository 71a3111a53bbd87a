/*
 * Two threads count up to a number, of which nothing is known; one leaves the first round out.
 *
 * unreach-call: false, where the number is greater than 0 the counters differ by 3.
 * no-data-race: true, each counter has one thread; main reads them after both joins.
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

int n;
unsigned first, second;
void *one(void *arg)
{
	for (int i = 0; i < n; i++)
		first += 3;
	return 0;
}
void *two(void *arg)
{
	for (int j = 1; j < n; j++)
		second += 3;
	return 0;
}
int main(void)
{
	pthread_t t, u;
	n = __VERIFIER_nondet_int();
	pthread_create(&t, 0, one, 0);
	pthread_create(&u, 0, two, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	__VERIFIER_assert(first == second);
	return 0;
}
