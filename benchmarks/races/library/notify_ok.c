/* The same with a lock. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int signals, ticks;

void on_signal(int number, siginfo_t *info, void *context) {
	pthread_mutex_lock(&lock);
	signals++;
	pthread_mutex_unlock(&lock);
}

void on_tick(union sigval value) {
	pthread_mutex_lock(&lock);
	++*(int *)value.sival_ptr;
	pthread_mutex_unlock(&lock);
}

void *worker(void *arg) {
	pthread_mutex_lock(&lock);
	signals++;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	ticks++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void) {
	struct sigaction action;
	struct sigevent event;
	timer_t timer;
	pthread_t t;
	memset(&action, 0, sizeof action);
	memset(&event, 0, sizeof event);
	action.sa_sigaction = on_signal;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGUSR1, &action, NULL);
	event.sigev_notify = SIGEV_THREAD;
	event.sigev_notify_function = on_tick;
	event.sigev_value.sival_ptr = &ticks;
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return 0;
}
