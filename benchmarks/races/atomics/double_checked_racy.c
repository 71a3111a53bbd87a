/* Double-checked initialisation with a plain flag. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct conf { int a, b; };
static struct conf *conf;
static struct conf *get(void)
{
	if (!conf) { // RACE!
		pthread_mutex_lock(&lock);
		if (!conf) { // NORACE
			struct conf *c = malloc(sizeof *c);
			if (!c)
				abort();
			c->a = 1; // NORACE
			c->b = 2; // NORACE
			conf = c; // RACE!
		}
		pthread_mutex_unlock(&lock);
	}
	return conf; // RACE!
}
static void *worker(void *a)
{
	return get()->a ? a : 0; // NORACE
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
