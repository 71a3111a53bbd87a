/* The lock is released between the read and the write of the counter: updates are lost. */
#include <pthread.h>
#include <stdlib.h>
struct dev { pthread_mutex_t lock; int count; };
static void *worker(void *arg)
{
	struct dev *d = arg;
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&d->lock);
		int c = d->count; // RACE!
		pthread_mutex_unlock(&d->lock);
		d->count = c + i; // RACE!
	}
	return NULL;
}
int main(void)
{
	pthread_t a, b;
	struct dev *d = malloc(sizeof *d);
	if (!d)
		return 1;
	pthread_mutex_init(&d->lock, NULL);
	d->count = 0; // NORACE
	pthread_create(&a, NULL, worker, d);
	pthread_create(&b, NULL, worker, d);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return d->count; // NORACE
}
