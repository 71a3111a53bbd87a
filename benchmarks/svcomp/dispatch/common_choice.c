/*
 * Which mutex protects the counter is unknown, but chosen once before the threads start.
 *
 * unreach-call: true, both threads use the same mutex, no addition is lost.
 * no-data-race: true, the counter is under the chosen mutex, the choice is only read after the start.
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
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t *chosen;
int n;
void *worker(void *arg)
{
	pthread_mutex_lock(chosen);
	n++;
	pthread_mutex_unlock(chosen);
	return 0;
}
int main(void)
{
	chosen = __VERIFIER_nondet_bool() ? &a : &b;
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
