/* Two boxes exchange their nodes, and then threads work on them. */
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

static void *work(void *arg) {
	struct box *b = arg;
	pthread_mutex_lock(&b->mu);
	for (struct node *p = b->head; p; p = p->next)
		p->v++; // RULED OUT: that the boxes exchange their nodes before there are threads is not followed
	pthread_mutex_unlock(&b->mu);
	return NULL;
}

int main(void) {
	struct box *a = box_new(), *b = box_new();
	a->head = node_new(1);
	b->head = node_new(2);
	struct node *t = a->head;
	a->head = b->head;
	b->head = t;
	start(work, a);
	start(work, b);
	return 0;
}
