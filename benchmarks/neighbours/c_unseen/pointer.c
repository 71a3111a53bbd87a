// A function without a body is called by a pointer.
#include <pthread.h>

extern void put(int *);
static void (*how)(int *) = put;
static int n;

static void *worker(void *arg) {
	how(&n);
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	n++; // RACE!
	return 0;
}
