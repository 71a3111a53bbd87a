/*
 * Money moves between two accounts while both mutexes are held; an observer holds both to add up.
 *
 * unreach-call: true, with both mutexes held no transfer is half done: the sum is always 10.
 * no-data-race: true, each account is touched under its own mutex.
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
pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t mb = PTHREAD_MUTEX_INITIALIZER;
int a = 10, b;
void *mover(void *arg)
{
	pthread_mutex_lock(&ma);
	pthread_mutex_lock(&mb);
	a -= 4;
	b += 4;
	pthread_mutex_unlock(&mb);
	pthread_mutex_unlock(&ma);
	return 0;
}
void *observer(void *arg)
{
	pthread_mutex_lock(&ma);
	pthread_mutex_lock(&mb);
	__VERIFIER_assert(a + b == 10);
	pthread_mutex_unlock(&mb);
	pthread_mutex_unlock(&ma);
	return 0;
}
int main(void)
{
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, mover, 0);
	pthread_create(&t2, 0, mover, 0);
	pthread_create(&t3, 0, observer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
