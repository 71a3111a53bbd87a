// There may be no memory for an object.
#include <pthread.h>
#include <stdlib.h>

static int n;

static void *worker(void *arg) {
	n = 1; // RACE!
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	if (!malloc(4))
		n = 2; // RACE!
	return 0;
}
