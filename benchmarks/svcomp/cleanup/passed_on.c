/*
 * main allocates a block and passes it on to a thread, which frees it.
 *
 * valid-memsafety: true, the block is used by its thread alone, and freed once.
 * valid-memcleanup: true, main waits for the thread.
 * no-data-race: true, the block belongs to one thread at a time.
 */
#include <stdlib.h>
#include <pthread.h>
void *worker(void *arg)
{
	int *p = arg;
	*p = 1;
	free(p);
	return 0;
}
int main(void)
{
	pthread_t t;
	int *p = malloc(sizeof *p);
	if (!p)
		return 0;
	pthread_create(&t, 0, worker, p);
	pthread_join(t, 0);
	return 0;
}
