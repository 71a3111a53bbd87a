// A thread runs a function that another file has put into a variable.
#include <pthread.h>

extern void *(*hook)(void *);
static int n;

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, hook, &n);
	n++; // RACE!
	return 0;
}
