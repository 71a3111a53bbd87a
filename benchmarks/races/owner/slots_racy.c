/* The slots of one box get what lies in those of another. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int v;
	struct node *next, *prev;
};

struct box {
	pthread_mutex_t mu;
	int n;
	struct node *slots[4];
};

static struct node *node_new(int v) {
	struct node *n = malloc(sizeof *n);
	if (!n)
		exit(1);
	n->v = v;
	n->next = n->prev = NULL;
	return n;
}

static struct box *box_new(void) {
	struct box *b = malloc(sizeof *b);
	if (!b)
		exit(1);
	pthread_mutex_init(&b->mu, NULL);
	b->n = 0;
	for (int i = 0; i < 4; i++)
		b->slots[i] = NULL;
	return b;
}

static void start(void *(*f)(void *), void *b) {
	pthread_t t;
	pthread_create(&t, NULL, f, b);
}

static void *work(void *arg) {
	struct box *b = arg;
	pthread_mutex_lock(&b->mu);
	if (b->slots[1])
		b->slots[1]->v++; // RACE!
	pthread_mutex_unlock(&b->mu);
	return NULL;
}

int main(void) {
	struct box *a = box_new(), *b = box_new();
	a->slots[1] = node_new(1);
	for (int i = 0; i < 4; i++)
		b->slots[i] = a->slots[i];
	start(work, a);
	start(work, b);
	return 0;
}
