/*
 * A function calls a callback while it holds the mutex.
 *
 * unreach-call: true, each callback runs whole: two threads step by one each.
 * no-data-race: true, the callback touches the variable under the caller's mutex.
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void advance(void) { x++; }
void with_lock(void (*f)(void))
{
	pthread_mutex_lock(&m);
	f();
	pthread_mutex_unlock(&m);
}
void *worker(void *arg)
{
	with_lock(advance);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(x == 2);
	return 0;
}
