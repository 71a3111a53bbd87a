/*
 * Two threads each leave a block in one global and free what was there before; the global is read in one
 * critical section and written in the next.
 *
 * valid-memsafety: false (valid-memtrack), both threads may find the global empty, and the first block is lost.
 * valid-memcleanup: false, one block may never be freed.
 * no-data-race: true, the global is under the mutex.
 */
#include <stdlib.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *kept;
void *worker(void *arg)
{
	int *p = malloc(sizeof *p), *old;
	pthread_mutex_lock(&m);
	old = kept;
	kept = 0;
	pthread_mutex_unlock(&m);
	free(old);
	pthread_mutex_lock(&m);
	kept = p;
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
	free(kept);
	return 0;
}
