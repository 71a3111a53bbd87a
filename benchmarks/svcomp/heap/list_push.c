/*
 * Two threads put new nodes at the head of a list under a mutex.
 *
 * unreach-call: true, each node links to the head it replaces, both are in the list.
 * no-data-race: true, the head is under the mutex, a node is private until it is in the list and read by main
 *   after the joins.
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
void *worker(void *arg)
{
	struct node *n = malloc(sizeof *n);
	if (!n)
		abort();
	n->value = 1;
	pthread_mutex_lock(&m);
	n->next = head;
	head = n;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	int sum = 0;
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	for (struct node *n = head; n; n = n->next)
		sum += n->value;
	__VERIFIER_assert(sum == 2);
	return 0;
}
