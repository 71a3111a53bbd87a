/* One path forgets the lock. Lock wrappers, error paths with goto, a switch, a lock released in a callee. */
#include <pthread.h>
#include <stdlib.h>
struct q { pthread_mutex_t m; int head, tail, *buf; };
static struct q g = { .m = PTHREAD_MUTEX_INITIALIZER };
static int enter(struct q *q) { return pthread_mutex_lock(&q->m); }
static int leave(struct q *q, int r) { pthread_mutex_unlock(&q->m); return r; }
static int put(struct q *q, int v, int mode)
{
	int r = -1;
	if (mode < 2)
		enter(q);
	if (!q->buf) // NORACE
		goto out;
	switch (mode) {
	case 0:
		q->head = v; // RACE!
		break;
	case 1 ... 3:
		q->tail = v; // RACE!
		/* fall through */
	default:
		q->head++; // RACE!
	}
	r = q->head; // RACE!
out:
	return leave(q, r);
}
static void *worker(void *a) { return (void *)(long)put(&g, 3, (long)a); }
int main(void)
{
	pthread_t t[3];
	g.buf = malloc(16);
	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], 0, worker, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return g.tail; // NORACE
}
