/* Recursive mutexes: the inner unlock does not free the lock. */
#define _GNU_SOURCE
#include <pthread.h>
static pthread_mutex_t m;
static int n, total;
static void add(int k)
{
	pthread_mutex_lock(&m);
	n += k; // NORACE
	pthread_mutex_unlock(&m);
}
static void *worker(void *arg)
{
	pthread_mutex_lock(&m);
	add(1);
	total++; // NORACE
	for (int i = 0; i < 3; i++) {
		add(i);
		total += n; // NORACE
	}
	pthread_mutex_unlock(&m);
	return arg;
}
int main(void)
{
	pthread_mutexattr_t a;
	pthread_t t, u;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &a);
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return total; // NORACE
}
