/* Names of parameters in the types of casts and of sizeof end with their list: they hide no variable, and may be used again with another type. */
#include <pthread.h>

int info, count, n = sizeof(int (*)(int count, char *(*next)(int info)));

void narrow(int *p) {}
void wide(long *p) {}

void *first = (void (*)(int *count))&narrow;
void *second = (void (*)(long *count))&wide;

void *worker(void *arg) {
	void (*f)(int *) = (void (*)(int *info))&narrow;
	void (*g)(long *) = (void (*)(long *info))&wide;
	f(0);
	g(0);
	info++;  // RACE!
	count++; // RACE!
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, worker, NULL);
	info++;  // RACE!
	count++; // RACE!
	pthread_join(t, NULL);
	return 0;
}
