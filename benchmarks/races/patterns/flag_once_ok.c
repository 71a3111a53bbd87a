/* What is done before a variable is set for the first time, and by who has seen that it is: under a lock, by an atomic variable, by a pointer, and back to main. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static bool ready;
static atomic_int go;
static int stop, done;
static int *table;
static int first, second, third, result;

static void *waits(void *arg) {
	pthread_mutex_lock(&lock);
	while (!ready)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return (void *)(long)first;
}

static void *spins(void *arg) {
	while (!atomic_load(&go))
		;
	return (void *)(long)second;
}

static void *looks(void *arg) {
	int *t, s;
	pthread_mutex_lock(&other);
	t = table;
	pthread_mutex_unlock(&other);
	if (!t)
		return NULL;
	pthread_rwlock_rdlock(&shared);
	s = stop;
	pthread_rwlock_unlock(&shared);
	if (s)
		third++;
	return (void *)(long)t[3];
}

static void *works(void *arg) {
	result = 42;
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void) {
	pthread_t t;
	int over;
	pthread_create(&t, NULL, waits, NULL);
	pthread_create(&t, NULL, waits, NULL);
	pthread_create(&t, NULL, spins, NULL);
	pthread_create(&t, NULL, looks, NULL);
	pthread_create(&t, NULL, works, NULL);
	first = 1;
	pthread_mutex_lock(&lock);
	ready = true;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	second = 2;
	atomic_store(&go, 1);
	third = 3;
	pthread_rwlock_wrlock(&shared);
	stop = 1;
	pthread_rwlock_unlock(&shared);
	do {
		pthread_mutex_lock(&lock);
		over = done;
		pthread_mutex_unlock(&lock);
	} while (!over);
	return result;
}
