/* Who tests the wrong bit goes on although another one is there. */
#include <pthread.h>
#include <stdatomic.h>
#define BUSY 4u
#define SEEN 1u
static atomic_uint flags;
static int n;
static void *worker(void *a)
{
	if (atomic_fetch_or(&flags, BUSY) & SEEN)
		return a;
	n++; // RACE!
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
