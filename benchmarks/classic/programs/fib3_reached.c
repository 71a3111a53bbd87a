// Fibonacci numbers by two threads, i += j and j += i, three times each (the idea of SV-COMP's fib_bench).
//
// 21 is reached only where the additions take turns, each with the sum of the one before: 2, 3, 5, 8, 13, 21. Of the five
// switches between the six additions, the last one leaves a thread that has ended.
//
// EXPECT assertion csb=4 slow
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 3 };

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
	assert(a < 21 && b < 21);
	return 0;
}
