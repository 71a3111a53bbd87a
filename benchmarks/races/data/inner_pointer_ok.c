/* Pointers into the middle of a struct: each thread steps through its own array. */
#include <pthread.h>
static struct { int head; int low[4]; int high[4]; } s;
static void *lower(void *a)
{
	int *p = &s.low[1];
	for (int k = 0; k < 1000; k++)
		p[k % 4 - 1]++; // NORACE
	return a;
}
static void *upper(void *a)
{
	int *p = s.high;
	for (int k = 0; k < 1000; k++)
		p[k % 4]++; // NORACE
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, lower, 0);
	pthread_create(&u, 0, upper, 0);
	s.head++; // NORACE
	pthread_join(t, 0);
	pthread_join(u, 0);
	return s.low[0] + s.high[0] + s.head; // NORACE
}
