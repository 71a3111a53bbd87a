/*
 * A node is put into the list and filled afterwards.
 *
 * unreach-call: false, the walker may find the value still 0.
 * no-data-race: false, the store of the value, outside of the mutex, and the walker's read are not ordered.
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
struct node { struct node *next; int value; };
struct node *head;
void *pusher(void *arg)
{
	struct node *n = calloc(1, sizeof *n);
	if (!n)
		abort();
	pthread_mutex_lock(&m);
	n->next = head;
	head = n;
	pthread_mutex_unlock(&m);
	n->value = 1;
	return 0;
}
void *walker(void *arg)
{
	pthread_mutex_lock(&m);
	for (struct node *n = head; n; n = n->next)
		__VERIFIER_assert(n->value > 0);
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, pusher, 0);
	pthread_create(&t2, 0, walker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
