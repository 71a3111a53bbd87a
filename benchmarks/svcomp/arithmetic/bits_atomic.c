/*
 * Threads set a bit each of one word by an atomic or.
 *
 * unreach-call: true, an atomic or keeps the other bits.
 * no-data-race: true, the threads use atomic operations only.
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
atomic_uint word;
void *worker(void *arg)
{
	atomic_fetch_or(&word, 1u << (long)arg);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, worker, (void*)0);
	pthread_create(&t2, 0, worker, (void*)3);
	pthread_create(&t3, 0, worker, (void*)31);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	__VERIFIER_assert(atomic_load(&word) == 0x80000009u);
	return 0;
}
