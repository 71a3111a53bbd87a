/* Inline assembly that says that it accesses memory accesses what its operands lead to. */
#include <pthread.h>

static int x;

static void *adds(void *arg) {
	__asm__ volatile("incl (%0)" : : "r"(&x) : "memory"); // RACE!
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, adds, NULL);
	x++; // RACE!
	pthread_join(t, NULL);
	return 0;
}
