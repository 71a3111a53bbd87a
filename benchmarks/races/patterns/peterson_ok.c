/* Peterson's lock: the proof by locks does not see it, and the states of two threads show it. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_int want[2], turn;
static int n;
static void *first(void *a)
{
	atomic_store(&want[0], 1);
	atomic_store(&turn, 1);
	while (atomic_load(&want[1]) && atomic_load(&turn) == 1)
		;
	n++; // RULED OUT: a lock made of several words is not recognised
	atomic_store(&want[0], 0);
	return a;
}
static void *second(void *a)
{
	atomic_store(&want[1], 1);
	atomic_store(&turn, 0);
	while (atomic_load(&want[0]) && atomic_load(&turn) == 0)
		;
	n++; // RULED OUT: a lock made of several words is not recognised
	atomic_store(&want[1], 0);
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, first, 0);
	pthread_create(&u, 0, second, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return n; // NORACE
}
