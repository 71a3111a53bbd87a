/*
 * A thread negates an input that another one passes on, after it has tested it in the same critical section.
 *
 * no-overflow: true, the least int is not negated.
 * no-data-race: true, the input is under the mutex.
 */
#include <limits.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n, result;
void *giver(void *arg)
{
	pthread_mutex_lock(&m);
	n = __VERIFIER_nondet_int();
	pthread_mutex_unlock(&m);
	return 0;
}
void *taker(void *arg)
{
	pthread_mutex_lock(&m);
	if (n != INT_MIN)
		result = -n;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, giver, 0);
	pthread_create(&t2, 0, taker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
