// A bounded buffer with a lock and two condition variables, a producer and two consumers (after C. A. R. Hoare, "Monitors: an
// operating system structuring concept", Communications of the ACM 17(10), 1974, with signals that only wake up).
//
// Who is woken looks again, under the lock, whether the buffer is as it needs it. Every put signals a consumer and every get
// the producer, and only they wait there: no signal is wasted on somebody else.
//
// EXPECT none csb=0 unroll=2 deep=2
#include <assert.h>
#include <pthread.h>

enum { CAPACITY = 1, ITEMS = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static int count, first, slot[CAPACITY];

static void put(int item)
{
	pthread_mutex_lock(&m);
	while (count == CAPACITY)
		pthread_cond_wait(&not_full, &m);
	assert(count < CAPACITY);
	slot[(first + count) % CAPACITY] = item;
	count++;
	pthread_cond_signal(&not_empty);
	pthread_mutex_unlock(&m);
}

static int get(void)
{
	pthread_mutex_lock(&m);
	while (count == 0)
		pthread_cond_wait(&not_empty, &m);
	assert(count > 0);
	int item = slot[first];
	first = (first + 1) % CAPACITY;
	count--;
	pthread_cond_signal(&not_full);
	pthread_mutex_unlock(&m);
	return item;
}

static int got[2];

static void *producer(void *arg)
{
	for (int i = 1; i <= ITEMS; i++)
		put(i);
	return arg;
}

static void *consumer(void *arg)
{
	*(int *)arg = get();
	return 0;
}

int main(void)
{
	pthread_t p, c, d;
	pthread_create(&p, 0, producer, 0);
	pthread_create(&c, 0, consumer, &got[0]);
	pthread_create(&d, 0, consumer, &got[1]);
	pthread_join(p, 0);
	pthread_join(c, 0);
	pthread_join(d, 0);
	assert(got[0] + got[1] == 3 && got[0] != 0 && got[1] != 0);
	return 0;
}
