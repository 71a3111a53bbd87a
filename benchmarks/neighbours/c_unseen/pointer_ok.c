// The function behind the pointer has a body, which leaves the counter alone.
#include <pthread.h>

static void put(int *p) { (void)p; }
static void (*how)(int *) = put;
static int n;

static void *worker(void *arg) {
	how(&n);
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	n++;
	return 0;
}
