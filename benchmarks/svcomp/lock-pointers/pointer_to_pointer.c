/*
 * The mutex is reached through a pointer to a pointer that never changes.
 *
 * unreach-call: true, both threads reach the same mutex, no increment is lost.
 * no-data-race: true, the counter is under that mutex.
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
pthread_mutex_t *p = &m;
pthread_mutex_t **pp = &p;
int n;
void *worker(void *arg)
{
	pthread_mutex_lock(*pp);
	n++;
	pthread_mutex_unlock(*pp);
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
