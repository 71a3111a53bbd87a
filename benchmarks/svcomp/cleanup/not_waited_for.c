/*
 * main allocates a block, passes it on to a thread, which frees it, and does not wait for the thread.
 *
 * valid-memcleanup: false, main may return before the thread has freed the block.
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
	return 0;
}
