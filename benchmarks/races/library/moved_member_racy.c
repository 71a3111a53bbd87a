/* A function that is not seen may give the address of another member than the one that it got, and of what it leads to. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	struct node *next;
	int a, b;
};
struct pair {
	int a, b;
};
struct at {
	double *p;
};

extern void find(struct node *in, int **out);
extern struct pair *same(struct pair *in);
extern struct at where(double *in);

static int *found;
static struct pair *pair;
static struct at at;

static void *writes(void *arg) {
	*found = 1; // RACE!
	pair->b = 1; // RACE!
	*at.p = 1; // RACE!
	return NULL;
}

int main(void) {
	struct node *x = calloc(1, sizeof *x), *y = calloc(1, sizeof *y);
	struct pair p = {0, 0};
	double d = 0;
	pthread_t t;
	if (!x || !y)
		return 1;
	x->next = y;
	find(x, &found);
	pair = same(&p);
	at = where(&d);
	pthread_create(&t, NULL, writes, NULL);
	y->b = 2; // RACE!
	p.b = 2; // RACE!
	d = 2; // RACE!
	pthread_join(t, NULL);
	return y->b + p.b;
}
