// A byte of an address is read where the address is stored.
#include <pthread.h>

static int n;
static union { void *p; unsigned char bytes[8]; } u;

static void *worker(void *arg) {
	n++; // RACE!
	return arg;
}

int main(void) {
	pthread_t t;
	u.p = &n;
	pthread_create(&t, NULL, worker, NULL);
	if (u.bytes[2] == 77)
		n++; // RACE!
	return 0;
}
