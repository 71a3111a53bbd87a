/* A thread creates another one and does not wait for it before it writes. */
#include <pthread.h>
static int x;
static void *inner(void *a)
{
	x++; // RACE!
	return a;
}
static void *outer(void *a)
{
	pthread_t t;
	x = 1; // NORACE
	pthread_create(&t, 0, inner, 0);
	x++; // RACE!
	pthread_join(t, 0);
	return a;
}
int main(void)
{
	pthread_t t;
	x = 0; // NORACE
	pthread_create(&t, 0, outer, 0);
	pthread_join(t, 0);
	return x; // NORACE
}
