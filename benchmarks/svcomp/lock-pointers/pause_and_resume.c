/*
 * A callee releases the mutex for a moment and takes it again.
 *
 * unreach-call: false, the value read before the pause may be old after it.
 * no-data-race: true, the counter is touched under the mutex at every access.
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
void give_way(void)
{
	pthread_mutex_unlock(&m);
	pthread_mutex_lock(&m);
}
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	int v = n;
	give_way();
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
