/* A function that adds to a counter under a lock, both of which it is given: both threads have the same counter, but locks of their own. */
#include <pthread.h>
static int first;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static void add(int *n, pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	*n = *n + 1; // RACE!
	pthread_mutex_unlock(m);
}
static void *worker(void *arg)
{
	add(&first, &first_lock);
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	add(&first, &second_lock);
	pthread_join(t, 0);
	return first; // NORACE
}
