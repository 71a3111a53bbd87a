// A loop over an array from the heap ends at the same place in each run.
#include <pthread.h>
#include <stdlib.h>

static int n;

static void *worker(void *arg) {
	n++;
	return arg;
}

int main(void) {
	pthread_t t;
	int *a = malloc(2 * sizeof *a);
	if (!a || pthread_create(&t, NULL, worker, NULL))
		return 1;
	for (int *p = a; p < a + 2; p++)
		*p = 0;
	if (a + 1 < a)
		n++;
	return 0;
}
