// Where there is no memory for an object the thread is waited for.
#include <pthread.h>
#include <stdlib.h>

static int n;

static void *worker(void *arg) {
	n = 1;
	return arg;
}

int main(void) {
	pthread_t t;
	if (pthread_create(&t, NULL, worker, NULL))
		return 1;
	if (!malloc(4)) {
		pthread_join(t, NULL);
		n = 2;
	}
	return 0;
}
