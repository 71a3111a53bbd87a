/* A thread creates another one and waits for it; both write the same variable, one after the other. */
#include <pthread.h>
static int x;
static void *inner(void *a)
{
	x++; // NORACE
	return a;
}
static void *outer(void *a)
{
	pthread_t t;
	x = 1; // NORACE
	pthread_create(&t, 0, inner, 0);
	pthread_join(t, 0);
	x++; // NORACE
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
