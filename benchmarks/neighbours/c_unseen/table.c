// A table of operations, found by the thread's argument, holds a function without a body.
#include <pthread.h>

struct ops { void (*put)(int *); };
extern void put(int *);
static const struct ops ops = {.put = put};
static int n;

static void *worker(void *arg) {
	const struct ops *o = arg;
	o->put(&n);
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, (void *)&ops);
	n++; // RACE!
	return 0;
}
