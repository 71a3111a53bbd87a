// Which of two variables lies above the other is not known.
#include <pthread.h>
#include <stdint.h>

static int n, a, b;

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	if ((uintptr_t)&a > (uintptr_t)&b)
		n++; // RACE!
	return 0;
}
