/* The address of a _Thread_local variable is given to another thread. */
#include <pthread.h>
static _Thread_local int mine;
static int *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(int *p, int k) { *p += k; } // RACE!
static void *worker(void *a)
{
	for (int i = 0; i < 1000; i++)
		add(&mine, i);
	return (void *)(long)mine; // RACE!
}
static void *other(void *a)
{
	int *p;
	pthread_mutex_lock(&m);
	p = shared; // NORACE
	pthread_mutex_unlock(&m);
	if (p)
		for (int i = 0; i < 1000; i++)
			add(p, 1);
	return a;
}
static void *giver(void *a)
{
	pthread_t t;
	pthread_mutex_lock(&m);
	shared = &mine; // NORACE
	pthread_mutex_unlock(&m);
	pthread_create(&t, 0, other, 0);
	worker(a);
	pthread_join(t, 0);
	return a;
}
int main(void)
{
	pthread_t t, u, v;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, other, 0);
	pthread_create(&v, 0, giver, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	return 0;
}
