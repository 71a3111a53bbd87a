/* A pointer that a thread gets through a pipe is the one that another thread has sent. */
#include <pthread.h>
#include <unistd.h>

static int fd[2];
static int x, y;

static void *gets_one(void *arg) {
	int *p = &y;
	if (read(fd[0], &p, sizeof p) == sizeof p)
		*p = 1;
	return NULL;
}

int main(void) {
	pthread_t t;
	int *q = &x;
	if (pipe(fd))
		return 1;
	pthread_create(&t, NULL, gets_one, NULL);
	write(fd[1], &q, sizeof q);
	x = 2;
	pthread_join(t, NULL);
	return 0;
}
