/* Numbers that two threads may draw both. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define N 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int next, gap, down = 1, two, mixed;
static atomic_int reset, ring;
static atomic_uint left = N;
static long unlocked[N], between[N], counted[N], locks[N], before_after[N + 2], again[N], turn[N], downwards[N + 2];

static void *takes(void *arg) {
	int i;
	i = next++; // RACE!
	if (i < N)
		unlocked[i]++; // RACE!

	pthread_mutex_lock(&lock);
	i = gap; // NORACE
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	gap = i + 1; // NORACE
	pthread_mutex_unlock(&lock);
	if (i < N)
		between[i]++; // RACE!

	pthread_mutex_lock(&lock);
	i = arg ? down++ : --down; // NORACE
	pthread_mutex_unlock(&lock);
	counted[i]++; // RACE!

	pthread_mutex_t *l = arg ? &lock : &other;
	pthread_mutex_lock(l);
	i = two++; // RACE!
	pthread_mutex_unlock(l);
	if (i < N)
		locks[i]++; // RACE!

	pthread_mutex_lock(&lock);
	i = arg ? mixed++ : ++mixed; // NORACE
	pthread_mutex_unlock(&lock);
	if (i < N)
		before_after[i]++; // RACE!

	i = atomic_fetch_add(&reset, 1);
	if (i < N)
		again[i]++; // RACE!

	unsigned u = atomic_fetch_add(&left, -1u); // which takes one off
	if (u > 0) {
		downwards[u]++; // RACE!
		downwards[u + 1]++; // RACE!
	}

	turn[atomic_fetch_add(&ring, 1) / 2]++; // RACE!
	return NULL;
}

int main(void) {
	pthread_t a, b;
	pthread_create(&a, NULL, takes, NULL);
	pthread_create(&b, NULL, takes, &lock);
	reset = 0;
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
