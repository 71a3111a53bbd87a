// A set as a sorted list with a lock for each node, which is searched without locks (S. Heller and others, "A lazy concurrent
// list-based set algorithm", OPODIS 2005).
//
// After it has locked two nodes, an operation looks whether they are neighbours still and neither is being removed, and else
// tries again. Locks are taken in the order of the list.
//
// EXPECT none csb=1 unroll=2 deep=3 slow
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	pthread_mutex_t lock;
	int key;
	atomic_int marked; // is being removed
	struct node *_Atomic next;
};

static struct node last = { PTHREAD_MUTEX_INITIALIZER, 9, 0, 0 };
static struct node one = { PTHREAD_MUTEX_INITIALIZER, 1, 0, &last };
static struct node head = { PTHREAD_MUTEX_INITIALIZER, 0, 0, &one };
static struct node two = { PTHREAD_MUTEX_INITIALIZER, 2, 0, 0 };

// locked finds the place of a key and locks the node before it and the one there.
static struct node *locked(int key, struct node **before)
{
	for (;;) {
		struct node *p = &head, *c = atomic_load(&head.next);
		while (c->key < key) {
			p = c;
			c = atomic_load(&c->next);
		}
		pthread_mutex_lock(&p->lock);
		pthread_mutex_lock(&c->lock);
		*before = p;
		if (!atomic_load(&p->marked) && !atomic_load(&c->marked) && atomic_load(&p->next) == c)
			return c;
		pthread_mutex_unlock(&c->lock);
		pthread_mutex_unlock(&p->lock);
	}
}

static void *adder(void *arg)
{
	struct node *p, *c = locked(two.key, &p);
	if (c->key != two.key) {
		atomic_store(&two.next, c);
		atomic_store(&p->next, &two);
	}
	pthread_mutex_unlock(&c->lock);
	pthread_mutex_unlock(&p->lock);
	return arg;
}

static void *remover(void *arg)
{
	struct node *p, *c = locked(one.key, &p);
	if (c->key == one.key) {
		atomic_store(&c->marked, 1);
		atomic_store(&p->next, atomic_load(&c->next));
	}
	pthread_mutex_unlock(&c->lock);
	pthread_mutex_unlock(&p->lock);
	return arg;
}

static int contains(int key)
{
	struct node *c = atomic_load(&head.next);
	while (c->key < key)
		c = atomic_load(&c->next);
	return c->key == key && !atomic_load(&c->marked);
}

int main(void)
{
	pthread_t a, r;
	pthread_create(&a, 0, adder, 0);
	pthread_create(&r, 0, remover, 0);
	pthread_join(a, 0);
	pthread_join(r, 0);
	assert(contains(2) && !contains(1));
	return 0;
}
