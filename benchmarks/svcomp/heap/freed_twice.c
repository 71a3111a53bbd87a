/*
 * Two threads free a block if the pointer is set, without a lock.
 *
 * valid-memsafety: false (valid-free), both may find the pointer set and free the block.
 * no-data-race: false, the pointer is read and cleared with no synchronisation.
 */
#include <stdlib.h>
#include <pthread.h>
int *p;
void *closer(void *arg)
{
	int *q = p;
	if (q) {
		p = 0;
		free(q);
	}
	return 0;
}
int main(void)
{
	p = malloc(sizeof *p);
	if (!p)
		return 0;
	pthread_t t1, t2;
	pthread_create(&t1, 0, closer, 0);
	pthread_create(&t2, 0, closer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
