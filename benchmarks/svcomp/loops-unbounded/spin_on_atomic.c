/*
 * A thread spins until an atomic flag is set and then uses the data.
 *
 * unreach-call: true, the loop ends only after the flag was set, and the data were written before.
 * no-data-race: true, the flag is atomic and orders the data.
 */
#include <pthread.h>
#include <stdatomic.h>
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
atomic_int ready;
int data;
void *reader(void *arg)
{
	while (!atomic_load(&ready))
		;
	__VERIFIER_assert(data == 9);
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, reader, 0);
	data = 9;
	atomic_store(&ready, 1);
	pthread_join(t1, 0);
	return 0;
}
