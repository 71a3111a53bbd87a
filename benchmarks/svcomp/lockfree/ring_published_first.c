/*
 * The producer moves the tail before it writes the slot.
 *
 * unreach-call: false, the consumer may read the slot before the number is in it.
 * no-data-race: false, the write of the slot and the consumer's read are not ordered.
 */
#include <pthread.h>
#include <stdatomic.h>
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
int slot[2];
atomic_uint head, tail;
void *producer(void *arg)
{
	unsigned t = atomic_load(&tail);
	atomic_store(&tail, t + 1);
	slot[t % 2] = 7;
	return 0;
}
void *consumer(void *arg)
{
	unsigned h = atomic_load(&head);
	if (atomic_load(&tail) != h) {
		__VERIFIER_assert(slot[h % 2] == 7);
		atomic_store(&head, h + 1);
	}
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, producer, 0);
	pthread_create(&t2, 0, consumer, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
