/* A pointer to const says nothing of what is behind the pointers there. */
#include <pthread.h>

struct vec {
	int *base;
	const int *limit;
};

extern void fill(const struct vec *to);

static int x;
static struct vec vec = { &x, 0 };

static void *fills(void *arg) {
	fill(&vec); // RACE!
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, fills, NULL);
	int r = x; // RACE!
	pthread_join(t, NULL);
	return r;
}
