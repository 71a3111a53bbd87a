// The function of a thread has a body, which leaves the counter alone.
#include <pthread.h>

static int n;

static void *worker(void *arg) { return arg; }

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, &n);
	n++;
	return 0;
}
