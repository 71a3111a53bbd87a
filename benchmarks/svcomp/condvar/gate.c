/*
 * Two workers wait at a gate that main opens after it has written the settings.
 *
 * unreach-call: true, a worker passes only after the gate was opened, after the settings were written.
 * no-data-race: true, the settings are written before the gate opens and only read after; the gate is under the
 *   mutex.
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
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int opened, size;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	while (!opened)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	__VERIFIER_assert(size == 8);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	size = 8;
	pthread_mutex_lock(&m);
	opened = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
