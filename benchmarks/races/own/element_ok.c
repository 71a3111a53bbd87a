/* Elements of a global array, each handed to one thread; main works on those not yet handed over. */
#include <pthread.h>
#define N 6
static struct part { int in, out; } part[N];
static void *worker(void *p)
{
	struct part *q = p;
	q->out = q->in * 2; // NORACE
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++) {
		part[i].in = i; // NORACE
		pthread_create(&t[i], 0, worker, &part[i]);
	}
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	int s = 0;
	for (int i = 0; i < N; i++)
		s += part[i].out; // NORACE
	return s;
}
