// A hook may be set by another file.
#include <pthread.h>

extern void (*hook)(int *);
static int n;

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	if (hook)
		hook(&n); // RACE!
	return 0;
}
