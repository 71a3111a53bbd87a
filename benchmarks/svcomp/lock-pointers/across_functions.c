/*
 * One function takes the mutex and returns with it held, another releases it.
 *
 * unreach-call: true, what is between the two calls is whole.
 * no-data-race: true, the counter is touched between the calls only.
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
int n;
void enter(void)
{
	pthread_mutex_lock(&m);
}
void leave(void)
{
	pthread_mutex_unlock(&m);
}
void *worker(void *arg)
{
	enter();
	n++;
	leave();
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
