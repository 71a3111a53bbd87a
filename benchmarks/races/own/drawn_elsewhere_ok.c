// Numbers are drawn from a counter under a lock by all threads: each has its own.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int next;
int slots[64];

int draw(void)
{
	pthread_mutex_lock(&m);
	int n = next;
	next = n + 1;
	pthread_mutex_unlock(&m);
	return n;
}

void *worker(void *arg)
{
	int n = draw();
	if (n < 64)
		slots[n] = 1;
	return 0;
}

void *skipper(void *arg)
{
	draw();
	return 0;
}

int main(void)
{
	pthread_t a, b, c;
	pthread_create(&a, 0, worker, 0);
	pthread_create(&b, 0, worker, 0);
	pthread_create(&c, 0, skipper, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	pthread_join(c, 0);
	return 0;
}
