/*
 * Two threads go a step forth and a step back, by one and by two, as often as they like, and end where they began.
 *
 * unreach-call: true, each thread ends after a step back only.
 * no-data-race: true, here is in atomic sections; each flag has one thread.
 */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}

int here, forth = 1, other = 1;
void *one(void *arg)
{
	do {
		__VERIFIER_atomic_begin();
		here += forth ? 1 : -1;
		forth = !forth;
		__VERIFIER_atomic_end();
	} while (!forth || __VERIFIER_nondet_int());
	return 0;
}
void *two(void *arg)
{
	do {
		__VERIFIER_atomic_begin();
		here += other ? 2 : -2;
		other = !other;
		__VERIFIER_atomic_end();
	} while (!other || __VERIFIER_nondet_int());
	return 0;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, one, 0);
	pthread_create(&u, 0, two, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	__VERIFIER_assert(here == 0);
	return 0;
}
