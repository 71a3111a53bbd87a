/*
 * Two threads protect the same counter by different mutexes.
 *
 * unreach-call: false, different mutexes exclude nothing: an increment may be lost.
 * no-data-race: false, both threads may be between lock and unlock at once, each about to write n.
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
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
int n;
void *first(void *arg)
{
	pthread_mutex_lock(&a);
	n++;
	pthread_mutex_unlock(&a);
	return 0;
}
void *second(void *arg)
{
	pthread_mutex_lock(&b);
	n++;
	pthread_mutex_unlock(&b);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, first, 0);
	pthread_create(&t2, 0, second, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
