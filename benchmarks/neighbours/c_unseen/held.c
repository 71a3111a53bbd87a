// A variable holds a function without a body, which a thread runs.
#include <pthread.h>

void *outside(void *);
static int n;

int main(void) {
	pthread_t t;
	void *(*f)(void *) = outside;
	pthread_create(&t, NULL, f, &n);
	n++; // RACE!
	return 0;
}
