/* Numbers that come through a pipe are no addresses, and a buffer that is read into is no pointer. */
#include <pthread.h>
#include <unistd.h>

struct msg {
	long value;
	char text[16];
	int *place;
};

static int fd[2];
static int x, y;

static void *gets_one(void *arg) {
	struct msg m = {0};
	m.place = &y;
	if (read(fd[0], &m.value, sizeof m.value) == sizeof m.value)
		*m.place = m.value;
	if (read(fd[0], m.text, sizeof m.text) > 0)
		y = m.text[0];
	return NULL;
}

int main(void) {
	pthread_t t;
	long v = 3;
	if (pipe(fd))
		return 1;
	pthread_create(&t, NULL, gets_one, NULL);
	write(fd[1], &v, sizeof v);
	x = 2;
	pthread_join(t, NULL);
	return x + y;
}
