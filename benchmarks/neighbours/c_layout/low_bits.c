// A bit of an address may be set.
#include <pthread.h>
#include <stdint.h>

static int n, a[8];

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	if ((uintptr_t)a & 8)
		n++; // RACE!
	return 0;
}
