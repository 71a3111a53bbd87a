/* Clearing all bits opens the lock for others. */
#include <pthread.h>
#include <stdatomic.h>
#define BUSY 4u
#define SEEN 1u
static atomic_uint flags;
static int n;
static void *worker(void *a)
{
	if (!(atomic_fetch_or(&flags, BUSY) & BUSY)) {
		n++; // RACE!
		atomic_fetch_and(&flags, ~BUSY);
	}
	atomic_store(&flags, 0);
	return a;
}
int main(void)
{
	pthread_t t, u, v;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_create(&v, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	pthread_join(v, 0);
	return n; // NORACE
}
