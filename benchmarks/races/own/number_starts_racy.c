/* Who starts two threads with one object is a thread that gets a number: it never had the object to itself. */
#include <pthread.h>

int x;

void *on_x(void *p) {
	*(int *)p = 1; // RACE!
	return NULL;
}

static void twice(void *(*f)(void *), int *p) {
	pthread_t a, b;
	pthread_create(&a, NULL, f, p);
	pthread_create(&b, NULL, f, p);
}

void *starter(long n) {
	twice(on_x, &x);
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, (void *(*)(void *))starter, NULL);
	pthread_join(t, NULL);
	return 0;
}
