/* A wait for a condition may end by itself: without a loop over what is waited for, it
   orders nothing. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int n;

static void *waits(void *arg) {
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&cond, &lock);
	n = 1; // RACE!
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, waits, NULL);
	n = 2; // RACE!
	pthread_mutex_lock(&lock);
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return 0;
}
