/*
 * A struct from the heap carries the lock of its field.
 *
 * unreach-call: true, both threads increment under the lock of the struct.
 * no-data-race: true, the field is under the lock until the joins.
 * valid-memsafety: true, the struct is freed once, after both threads have ended.
 */
#include <stdlib.h>
#include <pthread.h>
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
struct box { pthread_mutex_t lock; int n; };
void *worker(void *arg)
{
	struct box *b = arg;
	pthread_mutex_lock(&b->lock);
	b->n++;
	pthread_mutex_unlock(&b->lock);
	return 0;
}
int main(void)
{
	struct box *b = malloc(sizeof *b);
	if (!b)
		return 0;
	pthread_mutex_init(&b->lock, 0);
	b->n = 0;
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, b);
	pthread_create(&t2, 0, worker, b);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(b->n == 2);
	pthread_mutex_destroy(&b->lock);
	free(b);
	return 0;
}
