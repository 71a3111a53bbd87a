/* Functions that the library calls later, in members of structs that it gets: a signal handler, and the function of a timer that runs in a thread of its
 * own. ThreadSanitizer shows nothing because no signal comes. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

int signals, ticks;

void on_signal(int number, siginfo_t *info, void *context) {
	signals++; // RACE!
}

void on_tick(union sigval value) {
	++*(int *)value.sival_ptr; // RACE!
}

void *worker(void *arg) {
	signals++; // RACE!
	ticks++;   // RACE!
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
