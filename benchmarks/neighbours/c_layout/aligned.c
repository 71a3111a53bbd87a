// An array of characters need not begin at a multiple of 64.
#include <pthread.h>
#include <stdint.h>

static int n;
static char buf[64];

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	if ((uintptr_t)buf % 64)
		n++; // RACE!
	return 0;
}
