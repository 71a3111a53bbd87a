/*
 * A writer bumps a sequence number before and after it changes a pair; a reader trusts what it read between two
 * equal even numbers.
 *
 * unreach-call: true, equal even numbers mean that no write ended or was under way in between, so the pair is
 *   from one write.
 * no-data-race: true, the numbers and the pair are atomic.
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
	for (int i = 1; i <= 2; i++) {
		atomic_fetch_add(&seq, 1);
		atomic_store(&a, i);
		atomic_store(&b, i);
		atomic_fetch_add(&seq, 1);
	}
	return 0;
}
void *reader(void *arg)
{
	unsigned before = atomic_load(&seq);
	int x = atomic_load(&a);
	int y = atomic_load(&b);
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
