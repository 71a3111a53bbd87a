/* What the library keeps for itself between calls: the time that localtime returns, and the environment. * */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

int minute;
char *home;

void *clock_of(void *arg) {
	time_t now = time(NULL);
	struct tm *when = localtime(&now); // RACE!
	minute = when ? when->tm_min : 0;
	home = getenv("HOME"); // RACE!
	return NULL;
}

int main(void) {
	pthread_t t;
	time_t then = 0;
	pthread_create(&t, NULL, clock_of, NULL);
	localtime(&then);          // RACE!
	setenv("HOME", "/tmp", 1); // RACE!
	pthread_join(t, NULL);
	return 0;
}
