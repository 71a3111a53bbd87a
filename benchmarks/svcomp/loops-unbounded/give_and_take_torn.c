/*
 * One thread raises an atomic counter, by a load and a store, as often as another lowers it; the other goes on only where it is positive.
 *
 * unreach-call: false, what the second thread takes away between the load and the store is there again.
 * no-data-race: true, the counter is atomic.
 */
#include <stdatomic.h>
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
atomic_int counter;
void *give(void *arg)
{
	for (int i = 0; i < n; i++) {
		int seen = counter;
		counter = seen + 1;
	}
	return 0;
}
void *take(void *arg)
{
	for (int j = 0; j < n; j++) {
		if (counter <= 0)
			exit(0);
		counter--;
	}
	return 0;
}
int main(void)
{
	pthread_t t, u;
	n = __VERIFIER_nondet_int();
	pthread_create(&t, 0, give, 0);
	pthread_create(&u, 0, take, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	__VERIFIER_assert(counter == 0);
	return 0;
}
