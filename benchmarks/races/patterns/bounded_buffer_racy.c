/* A ring buffer whose fast path looks at the count without the lock, and whose head moves after the unlock. */
#include <pthread.h>
#define N 4
static struct ring {
	pthread_mutex_t lock;
	int slot[N], head, tail, count;
} r;
static void put(struct ring *q, int v)
{
	for (;;) {
		pthread_mutex_lock(&q->lock);
		if (q->count < N) // NORACE
			break;
		pthread_mutex_unlock(&q->lock);
	}
	q->slot[q->tail] = v; // RACE!
	q->tail = (q->tail + 1) % N; // NORACE
	q->count++; // RACE!
	pthread_mutex_unlock(&q->lock);
}
static int get(struct ring *q)
{
	int v;
	while (q->count == 0) // RACE!
		;
	v = q->slot[q->head]; // RACE!
	q->head = (q->head + 1) % N; // NORACE
	pthread_mutex_lock(&q->lock);
	q->count--; // NORACE
	pthread_mutex_unlock(&q->lock);
	return v;
}
static void *producer(void *a)
{
	for (int i = 0; i < 20; i++)
		put(a, i);
	return 0;
}
int main(void)
{
	pthread_t p;
	long s = 0;
	pthread_mutex_init(&r.lock, 0);
	pthread_create(&p, 0, producer, &r);
	for (int i = 0; i < 20; i++)
		s += get(&r);
	pthread_join(p, 0);
	return (int)s;
}
