/*
 * Money moves between two accounts, each changed in its own critical section.
 *
 * unreach-call: false, the observer may hold both mutexes between the two sections, when the money is in
 *   neither account.
 * no-data-race: true, each account is touched under its own mutex only.
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
	a -= 4;
	pthread_mutex_unlock(&ma);
	pthread_mutex_lock(&mb);
	b += 4;
	pthread_mutex_unlock(&mb);
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
	pthread_t t1, t2;
	pthread_create(&t1, 0, mover, 0);
	pthread_create(&t2, 0, observer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
