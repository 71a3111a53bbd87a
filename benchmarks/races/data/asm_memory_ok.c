/* A barrier for the compiler, and assembly that has the address of a variable of its own. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *adds(void *arg) {
	int mine = 1;
	pthread_mutex_lock(&m);
	__asm__ volatile("" : : : "memory");
	__asm__ volatile("incl (%0)" : : "r"(&mine) : "memory");
	__asm__ volatile("addl %1, (%0)" : : "r"(&x), "r"(mine) : "memory"); // NORACE
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, adds, NULL);
	pthread_mutex_lock(&m);
	x++; // NORACE
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
