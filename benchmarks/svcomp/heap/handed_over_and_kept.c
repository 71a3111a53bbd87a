/*
 * The producer still changes the message after it has put it into the mailbox.
 *
 * unreach-call: false, the consumer may see the intermediate size.
 * no-data-race: false, the late store and the consumer's read are not ordered.
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
	p->size = 0;
	pthread_mutex_lock(&m);
	box = p;
	pthread_mutex_unlock(&m);
	p->size = 8;
	return 0;
}
void *consumer(void *arg)
{
	struct message *p;
	pthread_mutex_lock(&m);
	p = box;
	box = 0;
	pthread_mutex_unlock(&m);
	if (p)
		__VERIFIER_assert(p->size == 8);
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
