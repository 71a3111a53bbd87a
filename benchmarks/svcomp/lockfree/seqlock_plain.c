/*
 * A sequence lock around plain data.
 *
 * unreach-call: true, equal even numbers mean that no write was under way in between, the pair is from one
 *   write.
 * no-data-race: false, the reader reads the pair before it knows whether a writer is at it.
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
int a, b;
void *writer(void *arg)
{
	atomic_fetch_add(&seq, 1);
	a = 1;
	b = 1;
	atomic_fetch_add(&seq, 1);
	return 0;
}
void *reader(void *arg)
{
	unsigned before = atomic_load(&seq);
	int x = a;
	int y = b;
	unsigned after = atomic_load(&seq);
	if (before == after && before % 2 == 0)
		__VERIFIER_assert(x == y);
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
