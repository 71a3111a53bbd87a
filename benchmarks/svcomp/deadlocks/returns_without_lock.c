/*
 * A thread releases the mutex on the error path too.
 *
 * no-deadlock: true, every path releases the mutex.
 * no-data-race: true, the counter is under the mutex.
 */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	if (__VERIFIER_nondet_bool()) {
		pthread_mutex_unlock(&m);
		return 0;
	}
	n++;
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
	return 0;
}
