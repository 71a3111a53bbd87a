/* A thread passes its object on to another one and goes on with it. */
#include <pthread.h>
#include <stdlib.h>
struct msg { int n; };
static void *second(void *p)
{
	struct msg *m = p;
	for (int i = 0; i < 1000; i++)
		m->n++; // RACE!
	return 0;
}
static void *first(void *p)
{
	struct msg *m = p;
	pthread_t t;
	pthread_create(&t, 0, second, m);
	for (int i = 0; i < 1000; i++)
		m->n++; // RACE!
	pthread_join(t, 0);
	return 0;
}
int main(void)
{
	pthread_t t;
	struct msg *m = calloc(1, sizeof *m);
	if (!m)
		return 1;
	pthread_create(&t, 0, first, m);
	pthread_join(t, 0);
	return m->n; // NORACE
}
