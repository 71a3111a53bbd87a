/*
 * Threads draw the number of a node of two cells from a counter that grows by one only.
 *
 * no-data-race: false, the second cell of a node is the first one of the next.
 */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#define CELLS 48
int arena[2 * CELLS + 1], next = 1, count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int draw(void)
{
	int mine = 0;
	__VERIFIER_atomic_begin();
	if (next + 1 <= 2 * CELLS) {
		mine = next;
		next += 1;
	}
	__VERIFIER_atomic_end();
	return mine;
}
void *worker(void *arg)
{
	for (;;) {
		int node = draw();
		if (!node)
			return 0;
		arena[node] = 7;
		arena[node + 1] = node;
		pthread_mutex_lock(&m);
		count++;
		pthread_mutex_unlock(&m);
	}
}
int main(void)
{
	pthread_t t;
	for (;;)
		pthread_create(&t, 0, worker, 0);
}
