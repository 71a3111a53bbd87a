/* Two threads get the same element. */
#include <pthread.h>
#define N 4
static struct part { int in, out; } part[N];
static void *worker(void *p)
{
	struct part *q = p;
	for (int i = 0; i < 1000; i++)
		q->out += i; // RACE!
	return 0;
}
int main(void)
{
	pthread_t t[2 * N];
	for (int i = 0; i < 2 * N; i++)
		pthread_create(&t[i], 0, worker, &part[i / 2]);
	for (int i = 0; i < 2 * N; i++)
		pthread_join(t[i], 0);
	return part[0].out; // NORACE
}
