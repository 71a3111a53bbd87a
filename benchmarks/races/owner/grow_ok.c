/* A table on the heap that grows: realloc moves what it holds. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int v;
	struct node *next, *prev;
};

struct box {
	pthread_mutex_t mu;
	struct node **tab;
	int n;
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
	b->tab = calloc(4, sizeof *b->tab);
	if (!b->tab)
		exit(1);
	b->n = 0;
	return b;
}

static void start(void *(*f)(void *), void *b) {
	pthread_t t;
	pthread_create(&t, NULL, f, b);
}

static void *work(void *arg) {
	struct box *b = arg;
	pthread_mutex_lock(&b->mu);
	struct node **t = realloc(b->tab, (b->n + 5) * sizeof *t);
	if (t) {
		b->tab = t;
		t[b->n++] = node_new(2);
	}
	for (int i = 0; i < b->n; i++)
		if (b->tab[i])
			b->tab[i]->v++;
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
