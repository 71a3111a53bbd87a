/* Spin locks: the try loop gives up after some rounds and goes on without the lock. */
#include <pthread.h>
static pthread_spinlock_t s;
static long n;
static void *worker(void *a)
{
	for (int i = 0; i < 100000; i++) {
		pthread_spin_lock(&s);
		n++; // RACE!
		pthread_spin_unlock(&s);
	}
	return a;
}
static void *trier(void *a)
{
	for (int i = 0; i < 100000; i++) {
		int got = pthread_spin_trylock(&s) == 0;
		n++; // RACE!
		if (got)
			pthread_spin_unlock(&s);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_spin_init(&s, 0);
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, trier, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return (int)n; // NORACE
}
