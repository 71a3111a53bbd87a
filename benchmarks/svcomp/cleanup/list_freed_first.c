/*
 * Two threads push a node on a list, main frees each node before it reads where the next one is.
 *
 * valid-memsafety: false (valid-deref), a node is read after it was freed.
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
		free(head);
		head = head->next;
	}
	return 0;
}
