/* One element too early: main writes to the element of the thread just started. */
#include <pthread.h>
#define N 6
static struct part { int in, out; } part[N + 1];
static void *worker(void *p)
{
	struct part *q = p;
	for (int i = 0; i < 1000; i++)
		q->out += q->in; // RACE!
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++) {
		pthread_create(&t[i], 0, worker, &part[i]);
		part[i].in = i; // RACE!
		part[i + 1].out = 0; // NORACE
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return part[0].out; // NORACE
}
