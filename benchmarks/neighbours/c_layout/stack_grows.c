// Which of two variables of the stack lies below the other is not known.
#include <pthread.h>
#include <stdint.h>

static int n;

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

static int above(int *outer) {
	int inner;
	return (uintptr_t)&inner < (uintptr_t)outer;
}

int main(void) {
	pthread_t t;
	int outer;
	pthread_create(&t, NULL, worker, NULL);
	if (above(&outer))
		n++; // RACE!
	return 0;
}
