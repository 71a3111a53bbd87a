// Numbers of errors are no addresses.
#include <pthread.h>
#include <stdint.h>

static int n, a;

static void *worker(void *arg) {
	n++;
	return arg;
}

int main(void) {
	pthread_t t;
	int *p = &a;
	pthread_create(&t, NULL, worker, NULL);
	if ((uintptr_t)p >= (uintptr_t)-4095)
		n++;
	return 0;
}
