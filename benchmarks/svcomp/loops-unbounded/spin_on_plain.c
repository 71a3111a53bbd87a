/*
 * A thread spins on a plain flag.
 *
 * unreach-call: true, stores happen in the order of the program: who sees the flag sees the data.
 * no-data-race: false, the flag is written and read with no synchronisation.
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
int ready, data;
void *reader(void *arg)
{
	while (!ready)
		;
	__VERIFIER_assert(data == 9);
	return 0;
}
int main(void)
{
	pthread_t t1;
	pthread_create(&t1, 0, reader, 0);
	data = 9;
	ready = 1;
	pthread_join(t1, 0);
	return 0;
}
