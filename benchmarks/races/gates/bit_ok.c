/* A bit of a word is a lock; another one says something else. */
#include <pthread.h>
#include <stdatomic.h>
#define BUSY 4u
#define SEEN 1u
static atomic_uint flags;
static int n;
static void *worker(void *a)
{
	atomic_fetch_or(&flags, SEEN);
	if (atomic_fetch_or(&flags, BUSY) & BUSY)
		return a;
	n++; // NORACE
	atomic_fetch_and(&flags, ~BUSY);
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n; // NORACE
}
