/* A ring buffer under one mutex with two condition variables. */
#include <pthread.h>
#define N 4
static struct ring {
	pthread_mutex_t lock;
	pthread_cond_t full, empty;
	int slot[N], head, tail, count;
} r;
static void put(struct ring *q, int v)
{
	pthread_mutex_lock(&q->lock);
	while (q->count == N) // NORACE
		pthread_cond_wait(&q->full, &q->lock);
	q->slot[q->tail] = v; // NORACE
	q->tail = (q->tail + 1) % N; // NORACE
	q->count++; // NORACE
	pthread_cond_signal(&q->empty);
	pthread_mutex_unlock(&q->lock);
}
static int get(struct ring *q)
{
	pthread_mutex_lock(&q->lock);
	while (q->count == 0) // NORACE
		pthread_cond_wait(&q->empty, &q->lock);
	int v = q->slot[q->head]; // NORACE
	q->head = (q->head + 1) % N; // NORACE
	q->count--; // NORACE
	pthread_cond_signal(&q->full);
	pthread_mutex_unlock(&q->lock);
	return v;
}
static void *producer(void *a)
{
	for (int i = 0; i < 20; i++)
		put(a, i);
	return 0;
}
static void *consumer(void *a)
{
	long s = 0;
	for (int i = 0; i < 20; i++)
		s += get(a);
	return (void *)s;
}
int main(void)
{
	pthread_t p, c;
	pthread_mutex_init(&r.lock, 0);
	pthread_cond_init(&r.full, 0);
	pthread_cond_init(&r.empty, 0);
	pthread_create(&p, 0, producer, &r);
	pthread_create(&c, 0, consumer, &r);
	pthread_join(p, 0);
	pthread_join(c, 0);
	return r.count; // NORACE
}
