/* Boxes that are there from the start, two elements of an array: each has a node of its own. */
#include <pthread.h>
#include <stdlib.h>

struct item {
	int n;
};

struct box {
	pthread_mutex_t mu;
	struct item *p;
};

static struct box boxes[2];
static struct box *a, *b;

static void add(struct box *x) {
	pthread_mutex_lock(&x->mu);
	if (x->p)
		x->p->n++;
	pthread_mutex_unlock(&x->mu);
}

static void *first(void *arg) {
	add(a);
	return arg;
}

static void *second(void *arg) {
	add(b);
	return arg;
}

int main(void) {
	pthread_t s, t;
	for (int i = 0; i < 2; i++) {
		pthread_mutex_init(&boxes[i].mu, NULL);
		boxes[i].p = calloc(1, sizeof(struct item));
	}
	a = &boxes[0];
	b = &boxes[1];
	pthread_create(&s, NULL, first, NULL);
	pthread_create(&t, NULL, second, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
