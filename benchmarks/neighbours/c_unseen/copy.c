// memcpy is called by a pointer.
#include <pthread.h>
#include <string.h>

static void *(*copy)(void *, const void *, size_t) = memcpy;
static char n[4];

static void *worker(void *arg) {
	char zero[4] = {0};
	copy(n, zero, 4);
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	n[0]++; // RACE!
	return 0;
}
