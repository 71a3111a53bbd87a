/*
 * A thread allocates a block and leaves it in a global.
 *
 * valid-memcleanup: false, nobody frees the block.
 * no-data-race: true, main does not touch the global.
 */
#include <stdlib.h>
#include <pthread.h>
int *kept;
void *worker(void *arg)
{
	kept = malloc(sizeof *kept);
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	pthread_join(t, 0);
	return 0;
}
