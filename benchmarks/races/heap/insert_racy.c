/* New elements are filled by a function that main calls for the list's head, too, and put into the list by another one, which forgets the lock at the end. */
#include <pthread.h>
#include <stdlib.h>
#define N 5
struct item {
	int value;
	struct item *next;
} *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void fill(struct item *it, int value)
{
	it->value = value; // NORACE
	it->next = NULL; // NORACE
}
static void insert(struct item *it, struct item *after)
{
	pthread_mutex_lock(&lock);
	struct item *next = after->next; // RACE!
	it->next = next; // NORACE
	pthread_mutex_unlock(&lock);
	after->next = it; // RACE!
}
static void *worker(void *arg)
{
	struct item *it = malloc(sizeof *it);
	if (!it)
		return NULL;
	fill(it, 3);
	insert(it, head);
	return NULL;
}
int main(void)
{
	pthread_t t[N];
	head = malloc(sizeof *head);
	if (!head)
		return 1;
	fill(head, 0);
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], NULL);
	return 0;
}
