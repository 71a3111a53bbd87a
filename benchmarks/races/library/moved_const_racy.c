/* What is behind a pointer to const is not written there, but its address may be stored where another argument leads. */
#include <pthread.h>

struct holder {
	int *p;
};

extern void find(const int *in, int **out);
extern void copy(struct holder *to, const struct holder *from);

static int *found;
static struct holder copied;

static void *writes(void *arg) {
	*found = 1; // RACE!
	*copied.p = 1; // RACE!
	return NULL;
}

int main(void) {
	int x = 0, y = 0;
	struct holder h = { &y };
	pthread_t t;
	find(&x, &found);
	copy(&copied, &h);
	pthread_create(&t, NULL, writes, NULL);
	x = 2; // RACE!
	y = 2; // RACE!
	pthread_join(t, NULL);
	return x + y;
}
