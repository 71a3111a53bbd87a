/*
 * A thread allocates a block and leaves it in a global, where main frees it after the join.
 *
 * valid-memsafety: true, the block is there, or the pointer is null.
 * valid-memcleanup: true, main frees what the thread left.
 * no-data-race: true, main touches the global after the join.
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
	free(kept);
	return 0;
}
