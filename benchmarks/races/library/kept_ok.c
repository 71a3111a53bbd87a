/* The same, one after the other. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

int minute;
char *home;

void *clock_of(void *arg) {
	time_t now = time(NULL);
	struct tm *when = localtime(&now);
	minute = when ? when->tm_min : 0;
	home = getenv("HOME");
	return NULL;
}

int main(void) {
	pthread_t t;
	time_t then = 0;
	pthread_create(&t, NULL, clock_of, NULL);
	pthread_join(t, NULL);
	localtime(&then);
	setenv("HOME", "/tmp", 1);
	return 0;
}
