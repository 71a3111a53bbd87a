/* A shared list: the search walks it without the lock. */
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int key; };
static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void push(int k)
{
	struct node *n = malloc(sizeof *n);
	if (!n)
		return;
	n->key = k; // NORACE
	pthread_mutex_lock(&m);
	n->next = head; // NORACE
	head = n; // RACE!
	pthread_mutex_unlock(&m);
}
static int find(int k)
{
	int found = 0;
	for (struct node *n = head; n; n = n->next) // RACE!
		if (n->key == k) // NORACE
			found = 1;
	return found;
}
static void *worker(void *a)
{
	int s = 0;
	for (int i = 0; i < 200; i++) {
		push(i);
		s += find(i / 2);
	}
	return (void *)(long)s;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return head != 0; // NORACE
}
