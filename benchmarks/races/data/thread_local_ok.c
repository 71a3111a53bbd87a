/* Every thread has its own copy of a _Thread_local variable, also behind a pointer that stays in the thread. */
#include <pthread.h>
static _Thread_local int mine;
static int *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void add(int *p, int k) { *p += k; } // NORACE
static void *worker(void *a)
{
	for (int i = 0; i < 1000; i++)
		add(&mine, i);
	return (void *)(long)mine; // NORACE
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
