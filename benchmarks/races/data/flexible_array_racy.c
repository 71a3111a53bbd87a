/* A struct with a flexible array at its end: the reader does without the lock. */
#include <pthread.h>
#include <stdlib.h>
struct log { pthread_mutex_t lock; unsigned len; int item[]; };
static struct log *the;
static void *writer(void *a)
{
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&the->lock);
		the->item[the->len % 16] = i; // RACE!
		the->len++; // RACE!
		pthread_mutex_unlock(&the->lock);
	}
	return a;
}
static void *reader(void *a)
{
	int s = 0;
	for (int i = 0; i < 1000; i++) {
		unsigned n = the->len; // RACE!
		s += the->item[(n + 15) % 16]; // RACE!
	}
	return (void *)(long)s;
}
int main(void)
{
	pthread_t t, u;
	the = calloc(1, sizeof *the + 16 * sizeof the->item[0]); // NORACE
	if (!the)
		return 1;
	pthread_mutex_init(&the->lock, 0);
	pthread_create(&t, 0, writer, 0);
	pthread_create(&u, 0, reader, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return (int)the->len; // NORACE
}
