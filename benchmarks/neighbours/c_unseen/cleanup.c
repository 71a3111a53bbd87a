// A cleanup handler has no body here, and gets the address of the counter.
#include <pthread.h>

extern void put(void *);
static int n;

static void *worker(void *arg) {
	pthread_cleanup_push(put, &n);
	pthread_cleanup_pop(1);
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	n++; // RACE!
	return 0;
}
