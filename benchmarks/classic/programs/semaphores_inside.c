// Producer and consumer with semaphores that are waited for inside the lock (the order of the two P operations matters in E. W.
// Dijkstra, "Cooperating sequential processes", 1965).
//
// The consumer, if it is first, waits for an item with the lock held, and the producer for the lock. They are left where they
// wait.
//
// EXPECT deadlock csb=0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

enum { CAPACITY = 1, ITEMS = 2 };

static sem_t free_, full;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count, slot[CAPACITY];

static void *producer(void *arg)
{
	for (int i = 1; i <= ITEMS; i++) {
		pthread_mutex_lock(&m);
		sem_wait(&free_);
		assert(count < CAPACITY);
		slot[count++] = i;
		pthread_mutex_unlock(&m);
		sem_post(&full);
	}
	return arg;
}

static void *consumer(void *arg)
{
	for (int i = 1; i <= ITEMS; i++) {
		pthread_mutex_lock(&m);
		sem_wait(&full);
		count--;
		assert(slot[count] == i);
		pthread_mutex_unlock(&m);
		sem_post(&free_);
	}
	return arg;
}

int main(void)
{
	pthread_t p, c;
	sem_init(&free_, 0, CAPACITY);
	sem_init(&full, 0, 0);
	pthread_create(&p, 0, producer, 0);
	pthread_create(&c, 0, consumer, 0);
	pthread_join(p, 0);
	pthread_join(c, 0);
	return 0;
}
