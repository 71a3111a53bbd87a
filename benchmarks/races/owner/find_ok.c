/* A function finds a node, or a new one is made: both belong to the box. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int v;
	struct node *next, *prev;
};

struct box {
	pthread_mutex_t mu;
	struct node *head;
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
	b->head = NULL;
	return b;
}

static void start(void *(*f)(void *), void *b) {
	pthread_t t;
	pthread_create(&t, NULL, f, b);
}

static struct node *find(struct box *b, int v) {
	for (struct node *p = b->head; p; p = p->next)
		if (p->v == v)
			return p;
	return NULL;
}

static void *work(void *arg) {
	struct box *b = arg;
	pthread_mutex_lock(&b->mu);
	struct node *n = find(b, 3);
	if (!n) {
		n = node_new(3);
		n->next = b->head;
		b->head = n;
	}
	n->v++;
	pthread_mutex_unlock(&b->mu);
	return NULL;
}

int main(void) {
	struct box *a = box_new(), *b = box_new();
	start(work, a);
	start(work, b);
	start(work, a);
	start(work, b);
	return 0;
}
