/* The object is handed over and also put into a list that another thread walks. */
#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int n; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *all;
static void *worker(void *p)
{
	struct node *q = p;
	for (int i = 0; i < 1000; i++)
		q->n++; // RACE!
	return 0;
}
static void *walker(void *p)
{
	int s = 0;
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&lock);
		for (struct node *q = all; q; q = q->next) // NORACE
			s += q->n; // RACE!
		pthread_mutex_unlock(&lock);
	}
	return p;
}
int main(void)
{
	pthread_t t, w;
	pthread_create(&w, 0, walker, 0);
	for (int i = 0; i < 4; i++) {
		struct node *q = calloc(1, sizeof *q);
		if (!q)
			return 1;
		pthread_mutex_lock(&lock);
		q->next = all; // NORACE
		all = q; // NORACE
		pthread_mutex_unlock(&lock);
		pthread_create(&t, 0, worker, q);
	}
	pthread_join(w, 0);
	return 0;
}
