// What a ring leads to is moved into one box, and what was found there before, or the ring
// itself, into another.
#include <pthread.h>
#include <stdlib.h>

struct ring {
	int *buf;
	int *more;
	int *rest;
	int size;
};

struct box {
	pthread_mutex_t mu;
	int *buf;
	int *more;
	struct ring *ring;
};

static struct ring *make_ring(int size)
{
	struct ring *r = malloc(sizeof *r);
	r->buf = malloc(size * sizeof(int));
	r->more = malloc(size * sizeof(int));
	r->rest = malloc(size * sizeof(int));
	r->size = size;
	return r;
}

static struct box *make_box(void)
{
	struct box *b = malloc(sizeof *b);
	pthread_mutex_init(&b->mu, 0);
	b->buf = 0;
	b->more = 0;
	b->ring = 0;
	return b;
}

static struct box *one, *two;

// The array is found before the first store, and kept.
static void twice(void)
{
	struct ring *r = make_ring(4);
	int *before = r->buf;
	one->buf = r->buf;
	two->buf = before;
	free(r);
}

// One member goes to one box, the ring to the other.
static void rest(void)
{
	struct ring *r = make_ring(4);
	one->more = r->more;
	two->ring = r;
}

static void *work(void *arg)
{
	struct box *b = arg;
	pthread_mutex_lock(&b->mu);
	b->buf[0]++; // RACE!
	if (b->more)
		b->more[0]++; // RACE!
	if (b->ring)
		b->ring->more[0]++; // RACE!
	pthread_mutex_unlock(&b->mu);
	return 0;
}

int main(void)
{
	pthread_t t, u;
	one = make_box();
	two = make_box();
	twice();
	rest();
	pthread_create(&t, 0, work, one);
	pthread_create(&u, 0, work, two);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
