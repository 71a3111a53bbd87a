// The lower half of an address may be any number.
#include <pthread.h>
#include <stdint.h>

static int n, a;

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	if ((uint32_t)(uintptr_t)&a == 0x601040)
		n++; // RACE!
	return 0;
}
