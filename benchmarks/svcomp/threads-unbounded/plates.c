/*
 * As many guests come as there are places, 30, and count the plates that they take without any lock.
 *
 * unreach-call: true, each guest writes one more than it has seen, and once: what is written is at
 * most how many have written before, and one.
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
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
#define PLACES 30
int plates;
void *guest(void *arg)
{
	int seen = plates;
	plates = seen + 1;
	return 0;
}
int main(void)
{
	pthread_t t;
	int i;
	for (i = 0; i < PLACES; i++)
		pthread_create(&t, 0, guest, 0);
	__VERIFIER_assert(plates <= PLACES);
	return 0;
}
