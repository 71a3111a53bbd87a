/* The second leaf is the same in all tables, and written after it was shown. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct leaf { int n; };
struct table { struct leaf *leaf; };
static _Atomic(struct table *) current;
static void *worker(void *a)
{
	struct leaf *leaf = malloc(sizeof *leaf);
	if (!leaf)
		abort();
	for (;;) {
		struct table *old = atomic_load(&current);
		struct table *now = malloc(sizeof *now);
		if (!now)
			abort();
		now->leaf = leaf;
		if (atomic_compare_exchange_strong(&current, &old, now)) {
			leaf->n++; // RACE!
			if (old)
				return old->leaf->n ? a : 0; // RACE!
		}
	}
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	return 0;
}
