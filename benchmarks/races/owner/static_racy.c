/* Two boxes that are there from the start have one node. */
#include <pthread.h>
#include <stdlib.h>

struct node {
	int v;
};

struct box {
	pthread_mutex_t mu;
	struct node *head;
};

static struct node shared;

static struct box a = {PTHREAD_MUTEX_INITIALIZER, &shared}, b = {PTHREAD_MUTEX_INITIALIZER, &shared};

static void *work(void *arg) {
	struct box *x = arg;
	pthread_mutex_lock(&x->mu);
	x->head->v++; // RACE!
	pthread_mutex_unlock(&x->mu);
	return NULL;
}

int main(int argc, char **argv) {
	pthread_t t;
	if (argc > 1) {
		a.head = malloc(sizeof *a.head);
		if (!a.head)
			return 1;
		a.head->v = 0;
	}
	pthread_create(&t, NULL, work, &a);
	pthread_create(&t, NULL, work, &b);
	return 0;
}
