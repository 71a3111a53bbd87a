// The lock is found by the bits of an object's address: of two objects it may be another.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t locks[8];
static int n;

static pthread_mutex_t *lock_of(void *p) { return &locks[((uintptr_t)p >> 4) % 8]; }

static void *add(void *p) {
	pthread_mutex_lock(lock_of(p));
	n++; // RACE!
	pthread_mutex_unlock(lock_of(p));
	return NULL;
}

int main(void) {
	pthread_t t;
	char *a = malloc(1), *b = malloc(17);
	for (int i = 0; i < 8; i++)
		pthread_mutex_init(&locks[i], NULL);
	pthread_create(&t, NULL, add, a);
	add(b);
	return 0;
}
