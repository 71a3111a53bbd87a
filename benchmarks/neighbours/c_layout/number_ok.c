// A thread's argument is a number, and no address.
#include <pthread.h>
#include <stdint.h>

static int n[4];

static void *worker(void *arg) {
	intptr_t i = (intptr_t)arg;
	n[i % 4 + 0]++;
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, (void *)(intptr_t)1);
	n[2]++;
	return 0;
}
