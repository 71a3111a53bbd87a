/*
 * As many threads as an input says, each with the address of an element of its own in a block from the heap.
 *
 * no-data-race: true, main writes an element before it starts the element's thread, and frees the block after all joins.
 */
#include <stdlib.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
void *worker(void *arg)
{
	int *mine = arg;
	*mine *= 2;
	return 0;
}
int main(void)
{
	int n = __VERIFIER_nondet_int();
	if (n < 0)
		return 0;
	pthread_t *threads = malloc(n * sizeof *threads);
	int *block = malloc(n * sizeof *block);
	if (!threads || !block)
		return 0;
	for (int i = 0; i < n; i++) {
		block[i] = i;
		pthread_create(&threads[i], 0, worker, &block[i]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], 0);
	free(block);
	free(threads);
	return 0;
}
