// What is run once has no body here, and may start a thread that adds.
#include <pthread.h>

int n;
void setup(void);
static pthread_once_t once = PTHREAD_ONCE_INIT;

int main(void) {
	pthread_once(&once, setup);
	n++; // RACE!
	return 0;
}
