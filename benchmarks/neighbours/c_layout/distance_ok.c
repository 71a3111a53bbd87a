// Two places of one object lie as far apart in each run.
#include <pthread.h>

static int n;
static char buf[8];

static void *worker(void *arg) {
	n++;
	return arg;
}

int main(void) {
	pthread_t t;
	char *a = buf, *b = buf + 4;
	pthread_create(&t, NULL, worker, NULL);
	if (b - a == 5 || b < a)
		n++;
	return 0;
}
