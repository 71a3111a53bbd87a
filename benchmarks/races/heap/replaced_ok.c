/* What is replaced as a whole is made anew until nobody else was faster. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct leaf { int n; };
struct table { struct leaf *leaf; };
static _Atomic(struct table *) current;
static void *worker(void *a)
{
	for (;;) {
		struct table *old = atomic_load(&current);
		struct table *now = malloc(sizeof *now);
		if (!now || !(now->leaf = malloc(sizeof *now->leaf)))
			abort();
		now->leaf->n = old ? old->leaf->n + 1 : 1;
		if (atomic_compare_exchange_strong(&current, &old, now))
			return a;
	}
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	return 0;
}
