/*
 * Two threads add to an unsigned number that wraps around.
 *
 * no-overflow: true, unsigned numbers do not overflow.
 * no-data-race: true, the number is under the mutex.
 */
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned n = 0xfffffff0u;
void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	n += 0x10u;
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
