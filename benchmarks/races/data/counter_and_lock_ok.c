/* A function that adds to a counter under a lock, both of which it is given: each thread has another counter, with another lock. */
#include <pthread.h>
static int first, second;
static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static void add(int *n, pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	*n = *n + 1; // NORACE
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
	add(&second, &second_lock);
	pthread_join(t, 0);
	return first + second; // NORACE
}
