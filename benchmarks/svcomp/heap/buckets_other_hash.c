/*
 * The lock is chosen by another function of the key than the bucket.
 *
 * unreach-call: false, keys 0 and 2 go to bucket 0 under different locks, an insertion may be lost.
 * no-data-race: false, the same accesses.
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
	pthread_mutex_lock(&table[key / 2 % 2].lock);
	table[key % 2].used++;
	pthread_mutex_unlock(&table[key / 2 % 2].lock);
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
