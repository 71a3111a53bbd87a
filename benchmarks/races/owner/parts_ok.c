// A constructor makes a ring with its array; who gets it moves what it leads to into a box,
// member by member, and frees the ring. The array has the box for its owner.
#include <pthread.h>
#include <stdlib.h>

struct node {
	int n;
	struct node *next;
};

struct ring {
	int *buf;
	struct node *nodes;
	int size;
};

struct box {
	pthread_mutex_t mu;
	int *buf;
	struct node *nodes;
	int size;
};

static struct ring *make_ring(int size)
{
	struct ring *r = malloc(sizeof *r);
	r->buf = malloc(size * sizeof(int));
	r->nodes = malloc(sizeof *r->nodes);
	r->nodes->n = 0;
	r->nodes->next = malloc(sizeof *r->nodes);
	r->nodes->next->n = 1;
	r->nodes->next->next = 0;
	r->size = size;
	return r;
}

static struct box *make_box(int size)
{
	struct ring *r = make_ring(size);
	struct box *b = malloc(sizeof *b);
	pthread_mutex_init(&b->mu, 0);
	b->buf = r->buf;
	b->nodes = r->nodes;
	b->size = r->size;
	free(r);
	return b;
}

static struct box *one, *two;

static void *work(void *arg)
{
	struct box *b = arg;
	pthread_mutex_lock(&b->mu);
	b->buf[b->size - 1]++; // NORACE
	for (struct node *n = b->nodes; n; n = n->next)
		n->n++; // NORACE
	pthread_mutex_unlock(&b->mu);
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t t[4];
	one = make_box(4);
	two = make_box(argc + 1);
	pthread_create(&t[0], 0, work, one);
	pthread_create(&t[1], 0, work, one);
	pthread_create(&t[2], 0, work, two);
	pthread_create(&t[3], 0, work, two);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
