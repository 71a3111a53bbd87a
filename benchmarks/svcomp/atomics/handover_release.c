/*
 * A value is written, then an atomic flag is set with release order; the reader tests the flag with acquire
 * order.
 *
 * unreach-call: true, who sees the flag sees the value that was written before.
 * no-data-race: true, the acquiring load that reads 1 orders the write before the read; without the flag
 *   nothing is read.
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
	data = 42;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return 0;
}
void *reader(void *arg)
{
	if (atomic_load_explicit(&ready, memory_order_acquire))
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
