/* The ends of a list are copied to that of another box. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int v;
	struct node *next, *prev;
};

struct list {
	struct node *head, *tail;
};

struct box {
	pthread_mutex_t mu;
	struct list *list;
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
	b->list = calloc(1, sizeof *b->list);
	if (!b->list)
		exit(1);
	return b;
}

static void start(void *(*f)(void *), void *b) {
	pthread_t t;
	pthread_create(&t, NULL, f, b);
}

static void *work(void *arg) {
	struct box *b = arg;
	pthread_mutex_lock(&b->mu);
	for (struct node *p = b->list->head; p; p = p->next)
		p->v++; // RACE!
	pthread_mutex_unlock(&b->mu);
	return NULL;
}

int main(void) {
	struct box *a = box_new(), *b = box_new();
	a->list->head = node_new(1);
	*b->list = *a->list;
	start(work, a);
	start(work, b);
	return 0;
}
