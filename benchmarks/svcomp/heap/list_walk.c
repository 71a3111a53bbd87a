/*
 * One thread walks a list while another one puts nodes in; both hold the mutex.
 *
 * unreach-call: true, every node in the list has a positive value when it is put in, and keeps it.
 * no-data-race: true, the list is under the mutex, a node is filled before it is put in.
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
	for (int i = 1; i <= 2; i++) {
		struct node *n = malloc(sizeof *n);
		if (!n)
			abort();
		n->value = i;
		pthread_mutex_lock(&m);
		n->next = head;
		head = n;
		pthread_mutex_unlock(&m);
	}
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
