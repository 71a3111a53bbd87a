/* A recursive mutex: the last access comes after the outer unlock. */
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
	total++; // RACE!
	for (int i = 0; i < 3; i++) {
		add(i);
		total += n; // RACE!
	}
	pthread_mutex_unlock(&m);
	total++; // RACE!
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
