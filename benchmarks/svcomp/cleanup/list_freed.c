/*
 * Two threads push a node on a list, main frees the list.
 *
 * valid-memsafety: true, each node is read before it is freed.
 * valid-memcleanup: true, main frees all nodes.
 * no-data-race: true, main walks the list after both joins.
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
	while (head) {
		struct node *n = head->next;
		free(head);
		head = n;
	}
	return 0;
}
