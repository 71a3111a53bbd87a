// Functions of the library are called by pointers.
#include <pthread.h>
#include <stdlib.h>

static int n;
static void *(*make)(size_t) = malloc;
static void (*end)(void *) = free;

static void *worker(void *arg) {
	n++;
	return arg;
}

int main(void) {
	pthread_t t;
	char *p = make(3);
	pthread_create(&t, NULL, worker, p);
	pthread_join(t, NULL);
	n++;
	end(p);
	return 0;
}
