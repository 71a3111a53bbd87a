/*
 * A read-write lock in one word; a reader first counts itself and takes it back if a writer is inside.
 *
 * unreach-call: false, a reader makes -1 a 0 for a moment; a second writer may enter then, beside the first.
 * no-data-race: false, then both writers write the pair at once.
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
int n;
void *writer(void *arg)
{
	int zero = 0;
	while (!atomic_compare_exchange_strong(&word, &zero, -1))
		zero = 0;
	n++;
	atomic_fetch_add(&word, 1);
	return 0;
}
void *reader(void *arg)
{
	while (atomic_fetch_add(&word, 1) < 0)
		atomic_fetch_sub(&word, 1);
	atomic_fetch_sub(&word, 1);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, writer, 0);
	pthread_create(&t2, 0, writer, 0);
	pthread_create(&t3, 0, reader, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
