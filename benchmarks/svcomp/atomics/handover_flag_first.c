/*
 * The flag is set before the value is written.
 *
 * unreach-call: false, the reader may run between the two stores and finds the old value.
 * no-data-race: false, after the flag is set, the write and the reader's read of the value may come in any
 *   order.
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
int data;
atomic_int ready;
void *writer(void *arg)
{
	atomic_store(&ready, 1);
	data = 42;
	return 0;
}
void *reader(void *arg)
{
	if (atomic_load(&ready))
		__VERIFIER_assert(data == 42);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, writer, 0);
	pthread_create(&t2, 0, reader, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
