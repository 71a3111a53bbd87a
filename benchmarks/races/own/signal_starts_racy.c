/* Who starts two threads with one object is a signal handler: it never had the object to itself. ThreadSanitizer shows nothing because no signal comes. */
#include <pthread.h>
#include <signal.h>

int y;

void *on_y(void *p) {
	*(int *)p = 1; // RACE!
	return NULL;
}

void handler(int n) {
	pthread_t a, b;
	pthread_create(&a, NULL, on_y, &y);
	pthread_create(&b, NULL, on_y, &y);
}

int main(void) {
	signal(SIGUSR1, handler);
	return 0;
}
