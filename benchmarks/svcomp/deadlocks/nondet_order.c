/*
 * Each of two threads chooses by an unknown value of its own which mutex comes first.
 *
 * no-deadlock: false, the threads may choose different orders.
 * no-data-race: true, nothing is shared but the mutexes.
 */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg)
{
	if (__VERIFIER_nondet_bool()) {
		pthread_mutex_lock(&a);
		pthread_mutex_lock(&b);
	} else {
		pthread_mutex_lock(&b);
		pthread_mutex_lock(&a);
	}
	pthread_mutex_unlock(&a);
	pthread_mutex_unlock(&b);
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
