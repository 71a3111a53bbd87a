// A variable and a function have second names: threads use them under a lock.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int total;
extern int sum __attribute__((alias("total")));

int calls;
extern int count __asm__("calls");

int seen;

void note(void)
{
	seen++;
}

void record(void) __attribute__((alias("note")));

void *first(void *arg)
{
	pthread_mutex_lock(&m);
	total++;
	calls++;
	note();
	pthread_mutex_unlock(&m);
	return 0;
}

void *second(void *arg)
{
	pthread_mutex_lock(&m);
	sum++;
	count++;
	record();
	pthread_mutex_unlock(&m);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, first, 0);
	pthread_create(&b, 0, second, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
