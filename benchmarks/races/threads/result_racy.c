/* The result of a thread comes back through a global that main reads too early. */
#include <pthread.h>
#include <stdlib.h>
static long *answer;
static void *compute(void *a)
{
	long *r = malloc(sizeof *r);
	if (!r)
		exit(1);
	*r = 6 * 7; // NORACE
	answer = r; // RACE!
	return r;
}
int main(void)
{
	pthread_t t;
	void *p;
	long v = 0;
	pthread_create(&t, 0, compute, 0);
	if (answer) // RACE!
		v = 1;
	pthread_join(t, &p);
	v += *(long *)p; // NORACE
	return (int)v;
}
