// One variable may lie where another one ends.
#include <pthread.h>

static int n, a, b;

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	if (&a + 1 == &b)
		n++; // RACE!
	return 0;
}
