/* An object is initialised before it is published under the lock, and changed under the lock afterwards. */
#include <pthread.h>
#include <stdlib.h>
struct conf { int a, b; };
static struct conf *current;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *publisher(void *x)
{
	for (int i = 0; i < 100; i++) {
		struct conf *c = malloc(sizeof *c);
		if (!c)
			break;
		c->a = i; // NORACE
		c->b = i; // NORACE
		pthread_mutex_lock(&m);
		current = c; // NORACE
		pthread_mutex_unlock(&m);
	}
	return x;
}
static void *user(void *x)
{
	long s = 0;
	for (int i = 0; i < 1000; i++) {
		pthread_mutex_lock(&m);
		if (current) // NORACE
			s += current->a + current->b; // NORACE
		pthread_mutex_unlock(&m);
	}
	return (void *)s;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&u, 0, user, 0);
	pthread_create(&t, 0, publisher, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
