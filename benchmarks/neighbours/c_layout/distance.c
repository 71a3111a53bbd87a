// Two objects may lie 32 bytes apart.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int n;

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

int main(void) {
	pthread_t t;
	char *a = malloc(8), *b = malloc(8);
	pthread_create(&t, NULL, worker, NULL);
	if ((uintptr_t)b - (uintptr_t)a == 32)
		n++; // RACE!
	return 0;
}
