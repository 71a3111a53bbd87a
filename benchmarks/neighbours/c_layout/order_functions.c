// Which of two functions lies above the other is not known.
#include <pthread.h>
#include <stdint.h>

static int n;

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

static void first(void) {}
static void second(void) {}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	if ((uintptr_t)first > (uintptr_t)second)
		n++; // RACE!
	return 0;
}
