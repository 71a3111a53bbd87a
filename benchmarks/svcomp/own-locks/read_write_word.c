/*
 * A read-write lock in one atomic word: -1 for a writer, else the number of readers, changed by exchanges only.
 *
 * unreach-call: true, a writer enters from 0 only, readers from 0 or more only: a reader never meets a
 *   half-done pair.
 * no-data-race: true, writes happen while the word is -1, reads while it is positive.
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
atomic_int word;
int a, b;
void *writer(void *arg)
{
	int zero = 0;
	while (!atomic_compare_exchange_strong(&word, &zero, -1))
		zero = 0;
	a++;
	b++;
	atomic_store(&word, 0);
	return 0;
}
void *reader(void *arg)
{
	int r = atomic_load(&word);
	while (r < 0 || !atomic_compare_exchange_strong(&word, &r, r + 1))
		r = atomic_load(&word);
	__VERIFIER_assert(a == b);
	atomic_fetch_sub(&word, 1);
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
