/* A spin lock that is taken by hand is initialised while others may have it. */
#include <pthread.h>
static pthread_spinlock_t busy;
static int n;
static void *worker(void *a)
{
	while (__sync_lock_test_and_set(&busy, 1))
		;
	n++; // RACE!
	__sync_lock_release(&busy);
	return a;
}
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++) {
		pthread_spin_init(&busy, 0);
		pthread_create(&t[i], 0, worker, 0);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	return 0;
}
