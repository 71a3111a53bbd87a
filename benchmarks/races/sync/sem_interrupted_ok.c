/* Who waits again when the handler of a signal has ended the wait has the semaphore. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t sem;
static int x;

static void handler(int n) {
}

static void *works(void *arg) {
	while (sem_wait(&sem) == -1)
		;
	x = 2; // NORACE
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
