/* A tree: recursive functions get nodes of it, and the lock is taken outside. */
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

static struct node *insert(struct node *t, int v) {
	if (!t)
		return node_new(v);
	if (v < t->v)
		t->prev = insert(t->prev, v);
	else
		t->next = insert(t->next, v);
	return t;
}

static int sum(struct node *t) {
	if (!t)
		return 0;
	t->v++;
	return t->v + sum(t->prev) + sum(t->next);
}

static void *work(void *arg) {
	struct box *b = arg;
	pthread_mutex_lock(&b->mu);
	b->head = insert(b->head, 3);
	sum(b->head);
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
