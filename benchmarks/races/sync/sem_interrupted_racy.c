/* A wait for a semaphore that the handler of a signal ends has got nothing. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t sem;
static int x;

static void handler(int n) {
}

static void *works(void *arg) {
	if (sem_wait(&sem) != 0) {
		x = 1; // RACE!
		return NULL;
	}
	x = 2; // RACE!
	sem_post(&sem);
	return NULL;
}

int main(void) {
	pthread_t t, u;
	struct sigaction sa = {0};
	sa.sa_handler = handler;
	sigaction(SIGUSR1, &sa, NULL);
	sem_init(&sem, 0, 1);
	pthread_create(&t, NULL, works, NULL);
	pthread_create(&u, NULL, works, NULL);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
