// Fibonacci numbers by two threads, i += j and j += i, twice each (the idea of SV-COMP's fib_bench).
//
// 8 is reached only where the additions take turns, each with the sum of the one before: 2, 3, 5, 8. Both threads are preempted
// once between their additions; the last switch leaves a thread that has ended.
//
// EXPECT assertion csb=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 2 };

static atomic_int i = 1, j = 1;

static void *first(void *arg)
{
	for (int k = 0; k < N; k++) {
		int a = atomic_load(&i), b = atomic_load(&j);
		atomic_store(&i, a + b);
	}
	return arg;
}

static void *second(void *arg)
{
	for (int k = 0; k < N; k++) {
		int b = atomic_load(&j), a = atomic_load(&i);
		atomic_store(&j, a + b);
	}
	return arg;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, first, 0);
	pthread_create(&u, 0, second, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	int a = atomic_load(&i), b = atomic_load(&j);
	assert(a < 8 && b < 8);
	return 0;
}
