/* A thread's function calls itself with what its own object points to, which is not its own. */
#include <pthread.h>
static struct part { int n; struct part *next; } a, b, last;
static void *worker(void *p)
{
	struct part *q = p;
	q->n++; // RACE!
	if (q->next)
		worker(q->next);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	a.next = &last;
	b.next = &last;
	pthread_create(&t, 0, worker, &a);
	pthread_create(&u, 0, worker, &b);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return last.n;
}
