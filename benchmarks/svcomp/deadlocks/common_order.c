/*
 * The order of the mutexes is unknown, but chosen once for all before the threads start.
 *
 * no-deadlock: true, all threads use the same order.
 * no-data-race: true, the choice is written before the threads start and only read after.
 */
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
int a_first;
void *worker(void *arg)
{
	if (a_first) {
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
	a_first = __VERIFIER_nondet_bool();
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
