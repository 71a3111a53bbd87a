/*
 * The reader of a sequence lock does not look at the number again.
 *
 * unreach-call: false, the number may be even before the reads, and the writer runs between the two reads.
 * no-data-race: true, all shared accesses are atomic.
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
atomic_uint seq;
atomic_int a, b;
void *writer(void *arg)
{
	atomic_fetch_add(&seq, 1);
	atomic_store(&a, 1);
	atomic_store(&b, 1);
	atomic_fetch_add(&seq, 1);
	return 0;
}
void *reader(void *arg)
{
	if (atomic_load(&seq) % 2 == 0) {
		int x = atomic_load(&a);
		int y = atomic_load(&b);
		__VERIFIER_assert(x == y);
	}
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
