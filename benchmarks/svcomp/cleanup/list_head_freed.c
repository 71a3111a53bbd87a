/*
 * Two threads push a node on a list, main frees the first node alone, and forgets it.
 *
 * valid-memsafety: false (valid-memtrack), nothing leads to the second node any more.
 * valid-memcleanup: false, the second node is not freed.
 * no-data-race: true, main touches the list after both joins.
 */
#include <stdlib.h>
#include <pthread.h>
struct node {
	struct node *next;
};
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
struct node *head;
void *worker(void *arg)
{
	struct node *n = malloc(sizeof *n);
	pthread_mutex_lock(&m);
	n->next = head;
	head = n;
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, worker, 0);
	pthread_create(&t2, 0, worker, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	free(head);
	head = 0;
	return 0;
}
