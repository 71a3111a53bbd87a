/*
 * main allocates a block, and returns before it frees it where a thread has set a flag.
 *
 * valid-memsafety: false (valid-memtrack), the block is lost with the variable that points to it.
 * valid-memcleanup: false, the block is not freed where the flag is set.
 * no-data-race: true, the flag is atomic.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <pthread.h>
atomic_int flag;
void *worker(void *arg)
{
	flag = 1;
	return 0;
}
int main(void)
{
	pthread_t t;
	int *p;
	pthread_create(&t, 0, worker, 0);
	p = malloc(sizeof *p);
	if (flag)
		return 1;
	free(p);
	pthread_join(t, 0);
	return 0;
}
