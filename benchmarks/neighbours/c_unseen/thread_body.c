// The function of a thread has no body here, and gets the address of the counter.
#include <pthread.h>

extern void *worker(void *);
static int n;

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, &n);
	n++; // RACE!
	return 0;
}
