/*
 * The driver frees what the work uses before it waits for the work.
 *
 * valid-memsafety: false (valid-deref), the work may touch the block after the free.
 * no-data-race: false, the accesses of the work and the free are not ordered.
 */
#include <stdlib.h>
#include <pthread.h>
struct device { int pending; int handled; };
void *work(void *arg)
{
	struct device *d = arg;
	d->handled += d->pending;
	d->pending = 0;
	return 0;
}
int main(void)
{
	struct device *d = malloc(sizeof *d);
	if (!d)
		return 0;
	d->pending = 3;
	d->handled = 0;
	pthread_t t;
	pthread_create(&t, 0, work, d);
	free(d);
	pthread_join(t, 0);
	return 0;
}
