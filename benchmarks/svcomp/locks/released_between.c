/*
 * A counter is read in one critical section and written back in the next.
 *
 * unreach-call: false, both threads may read 0 before either writes 1.
 * no-data-race: true, every single access holds the mutex: an atomicity violation, not a data race.
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
void *worker(void *arg)
{
	int v;
	pthread_mutex_lock(&m);
	v = n;
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
	n = v + 1;
	pthread_mutex_unlock(&m);
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
