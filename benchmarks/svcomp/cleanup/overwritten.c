/*
 * Two threads each leave a block in one global, under a mutex; main frees what is there at the end.
 *
 * valid-memsafety: false (valid-memtrack), the pointer to the first block is overwritten.
 * valid-memcleanup: false, one block is never freed.
 * no-data-race: true, the global is under the mutex.
 */
#include <stdlib.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int *kept;
void *worker(void *arg)
{
	int *p = malloc(sizeof *p);
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
