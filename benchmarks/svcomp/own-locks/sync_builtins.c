/*
 * A spin lock made of the compiler's older builtins.
 *
 * unreach-call: true, the test-and-set builtin lets one thread in at a time.
 * no-data-race: true, the lock word is touched by the builtins only, the counter inside only.
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
int word, n;
void *worker(void *arg)
{
	while (__sync_lock_test_and_set(&word, 1))
		;
	n++;
	__sync_lock_release(&word);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
