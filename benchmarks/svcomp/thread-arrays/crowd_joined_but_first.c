/*
 * As many threads as an input says, which write under a lock; main reads without it when it has joined all but the first.
 *
 * no-data-race: false, the first thread may still write.
 */
#include <stdlib.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int total;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	total += 3;
	pthread_mutex_unlock(&lock);
	return 0;
}
int main(void)
{
	int n = __VERIFIER_nondet_int();
	if (n < 0)
		return 0;
	pthread_t *threads = malloc(n * sizeof *threads);
	if (!threads)
		return 0;
	for (int i = 0; i < n; i++)
		pthread_create(&threads[i], 0, worker, 0);
	for (int i = 1; i < n; i++)
		pthread_join(threads[i], 0);
	free(threads);
	return total;
}
