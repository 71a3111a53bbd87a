// The destructor of a key has no body here, and gets the address of the counter.
#include <pthread.h>

extern void put(void *);
static pthread_key_t key;
static int n;

static void *worker(void *arg) {
	pthread_setspecific(key, &n);
	return arg;
}

int main(void) {
	pthread_t t;
	pthread_key_create(&key, put);
	pthread_create(&t, NULL, worker, NULL);
	n++; // RACE!
	return 0;
}
