/* Locks in arrays: one lock for each element, by the same index, in the element itself or in an array beside it. */
#include <pthread.h>
#define N 8
struct bucket { pthread_mutex_t lock; int n; };
static struct bucket table[N];
static pthread_mutex_t locks[N];
static int data[N];
static void bucket_lock(struct bucket *b) { pthread_mutex_lock(&b->lock); }
static void bucket_unlock(struct bucket *b) { pthread_mutex_unlock(&b->lock); }
static void *worker(void *arg)
{
	int i = (int)(long)arg % N;
	struct bucket *b = &table[i];
	bucket_lock(b);
	b->n++; // NORACE
	bucket_unlock(b);
	pthread_mutex_lock(&locks[i]);
	data[i]++; // NORACE
	pthread_mutex_unlock(&locks[i]);
	return 0;
}
int main(void)
{
	pthread_t t[N];
	for (int i = 0; i < N; i++) {
		pthread_mutex_init(&table[i].lock, 0);
		pthread_mutex_init(&locks[i], 0);
	}
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], 0, worker, (void *)(long)i);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return data[0]; // NORACE
}
