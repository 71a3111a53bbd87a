// A variable and a function have second names: threads use them without a lock.
#include <pthread.h>

int total;
extern int sum __attribute__((alias("total")));

int calls;
extern int count __asm__("calls");

int seen;

void note(void)
{
	seen++; // RACE!
}

void record(void) __attribute__((alias("note")));

void *first(void *arg)
{
	total++; // RACE!
	calls++; // RACE!
	note();
	return 0;
}

void *second(void *arg)
{
	sum++; // RACE!
	count++; // RACE!
	record();
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
