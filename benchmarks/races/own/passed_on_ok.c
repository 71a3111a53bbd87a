/* A thread passes its object on to another one and leaves it alone. */
#include <pthread.h>
#include <stdlib.h>
struct msg { int n; };
static void *second(void *p)
{
	struct msg *m = p;
	m->n++; // NORACE
	free(m); // NORACE
	return 0;
}
static void *first(void *p)
{
	struct msg *m = p;
	pthread_t t;
	m->n++; // NORACE
	pthread_create(&t, 0, second, m);
	return 0;
}
int main(void)
{
	for (int i = 0; i < 3; i++) {
		pthread_t t;
		struct msg *m = malloc(sizeof *m);
		if (!m)
			return 1;
		m->n = i; // NORACE
		pthread_create(&t, 0, first, m);
	}
	return 0;
}
