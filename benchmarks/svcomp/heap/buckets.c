/*
 * A table with two buckets and a lock for each; a key goes to bucket key modulo 2.
 *
 * unreach-call: true, each insertion counts once: two in all.
 * no-data-race: true, a bucket is under the lock of its own index.
 */
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
extern unsigned int __VERIFIER_nondet_uint(void);
struct bucket { pthread_mutex_t lock; int used; } table[2];
void *worker(void *arg)
{
	unsigned key = __VERIFIER_nondet_uint();
	struct bucket *b = &table[key % 2];
	pthread_mutex_lock(&b->lock);
	b->used++;
	pthread_mutex_unlock(&b->lock);
	return 0;
}
int main(void)
{
	pthread_mutex_init(&table[0].lock, 0);
	pthread_mutex_init(&table[1].lock, 0);
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	__VERIFIER_assert(table[0].used + table[1].used == 2);
	return 0;
}
