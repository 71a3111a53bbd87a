/* A thread also writes to the element after its own. */
#include <pthread.h>
#define N 4
static struct part { int in, out; } part[N + 1];
static void *worker(void *p)
{
	struct part *q = p;
	for (int i = 0; i < 1000; i++) {
		q[0].out += i; // RACE!
		q[1].out += i; // RACE!
	}
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], 0, worker, &part[i]);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return part[0].out; // NORACE
}
