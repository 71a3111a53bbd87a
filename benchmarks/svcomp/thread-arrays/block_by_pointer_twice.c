/*
 * As many threads as an input says; the address of each element of a block goes to two of them.
 *
 * no-data-race: false, two threads write element 0.
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
	int *block = malloc((n + 1) / 2 * sizeof *block);
	if (!threads || !block)
		return 0;
	for (int i = 0; i < n; i++) {
		block[i / 2] = i;
		pthread_create(&threads[i], 0, worker, &block[i / 2]);
	}
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], 0);
	free(block);
	free(threads);
	return 0;
}
