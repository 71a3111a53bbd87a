/*
 * A function finds the callback while it holds the mutex, and calls it afterwards.
 *
 * unreach-call: false, two steps may overlap, one is lost.
 * no-data-race: false, the callback touches the variable without the mutex.
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
void (*hook)(void) = advance;
void run_hook(void)
{
	void (*f)(void);
	pthread_mutex_lock(&m);
	f = hook;
	pthread_mutex_unlock(&m);
	f();
}
void *worker(void *arg)
{
	run_hook();
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
