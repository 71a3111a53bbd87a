/*
 * Two threads count one number up to a limit, and where an input says so, one sets it back.
 *
 * termination: false, the number may be set back each time it has come to the limit.
 * no-data-race: true, the number is under the mutex.
 */
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int n;
void *worker(void *arg)
{
	int more = 1;
	while (more) {
		pthread_mutex_lock(&m);
		if (n < 3)
			n++;
		else if (__VERIFIER_nondet_int())
			n = 0;
		else
			more = 0;
		pthread_mutex_unlock(&m);
	}
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
