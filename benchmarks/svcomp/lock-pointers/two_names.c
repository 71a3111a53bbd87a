/*
 * A thread uses the mutex by its name, the other one by a pointer.
 *
 * unreach-call: true, it is the same mutex, no increment is lost.
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
pthread_mutex_t *alias = &m;
int n;
void *by_name(void *arg)
{
	pthread_mutex_lock(&m);
	n++;
	pthread_mutex_unlock(&m);
	return 0;
}
void *by_pointer(void *arg)
{
	pthread_mutex_lock(alias);
	n++;
	pthread_mutex_unlock(alias);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, by_name, 0);
	pthread_create(&t2, 0, by_pointer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(n == 2);
	return 0;
}
