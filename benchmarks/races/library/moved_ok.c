/* Addresses that a call can give to nobody stay where they are. */
#include <pthread.h>
#include <stdlib.h>

struct pair {
	int a, b;
};

extern int sum(const struct pair *in);
extern void fill(struct pair *in);
extern int show(const int *t);
extern void find(const int *in, int **out);

static int len;
static int *found;

static void *reads(void *arg) {
	struct pair mine = {1, 2};
	fill(&mine);
	show(&len); // NORACE
	return NULL;
}

static void *writes(void *arg) {
	*found = 1; // NORACE
	return NULL;
}

int main(void) {
	pthread_t t, u;
	struct pair p = {0, 0};
	int x = 0;
	sum(&p);
	fill(&p);
	pthread_create(&t, NULL, reads, NULL);
	p.b = len + sum(&p); // NORACE
	pthread_join(t, NULL);
	find(&x, &found);
	x = 1; // NORACE
	pthread_create(&u, NULL, writes, NULL);
	p.a = 3; // NORACE
	pthread_join(u, NULL);
	return x + p.a;
}
