/* An external function may store one address that it gets where another one leads to. */
#include <pthread.h>

extern void find(int *in, int **out);

static int *found;

static void *writes(void *arg) {
	*found = 1; // RACE!
	return NULL;
}

int main(void) {
	int x = 0;
	pthread_t t;
	find(&x, &found);
	pthread_create(&t, NULL, writes, NULL);
	x = 2; // RACE!
	pthread_join(t, NULL);
	return x;
}
