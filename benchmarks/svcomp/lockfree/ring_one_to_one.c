/*
 * One producer and one consumer share a ring of two slots; head and tail are atomic, the slots are plain.
 *
 * unreach-call: true, the consumer takes a slot only after the tail moved past it, and numbers go in in order.
 * no-data-race: true, a slot is written before the tail passes it and reused only after the head passed it.
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
	for (int i = 1; i <= 3; i++) {
		unsigned t = atomic_load(&tail);
		while (t - atomic_load(&head) == 2)
			;
		slot[t % 2] = i;
		atomic_store(&tail, t + 1);
	}
	return 0;
}
void *consumer(void *arg)
{
	for (int i = 1; i <= 3; i++) {
		unsigned h = atomic_load(&head);
		while (atomic_load(&tail) == h)
			;
		__VERIFIER_assert(slot[h % 2] == i);
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
