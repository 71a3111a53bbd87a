/*
 * A producer puts a message into a mailbox; a consumer takes it out, and only then uses and frees it.
 *
 * unreach-call: true, a message in the mailbox is complete.
 * no-data-race: true, the mailbox is under the mutex and the message belongs to one thread at a time.
 * valid-memsafety: true, a message is freed once, by the consumer that took it, or by main if it is left at the
 *   end.
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
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct message { int size; };
struct message *box;
void *producer(void *arg)
{
	struct message *p = malloc(sizeof *p);
	if (!p)
		return 0;
	p->size = 8;
	pthread_mutex_lock(&m);
	box = p;
	pthread_mutex_unlock(&m);
	return 0;
}
void *consumer(void *arg)
{
	struct message *p;
	pthread_mutex_lock(&m);
	p = box;
	box = 0;
	pthread_mutex_unlock(&m);
	if (p) {
		__VERIFIER_assert(p->size == 8);
		free(p);
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
	free(box);
	return 0;
}
