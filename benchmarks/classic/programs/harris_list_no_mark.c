// A set as a sorted list without locks whose nodes are unlinked without a mark (the mistake with which T. L. Harris begins, "A
// pragmatic implementation of non-blocking linked-lists", DISC 2001).
//
// The remover of 1 has read what follows it, and is preempted. The other thread puts 2 behind 1. The link to 1 has not changed;
// the remover unlinks 1, and 2 with it.
//
// EXPECT assertion csb=1 unroll=1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

// A link is twice the number of a node, plus 1 if the node that has the link is being removed.
enum { HEAD, ONE, TWO, LAST, MARK = 1 };

static const int key[] = { 0, 1, 2, 9 };
static atomic_int next[] = { 2 * ONE, 2 * LAST, 0, 0 };

// find is the first node with at least this key; it unlinks what is being removed on the way.
static int find(int k, int *before)
{
	int p = HEAD, c = atomic_load(&next[HEAD]) / 2;
	while (c != LAST) {
		int n = atomic_load(&next[c]), link = 2 * c;
		if (n & MARK) {
			if (!atomic_compare_exchange_strong(&next[p], &link, n - MARK)) {
				p = HEAD; // from the beginning
				n = atomic_load(&next[HEAD]);
			}
		} else if (key[c] >= k) {
			break;
		} else {
			p = c;
		}
		c = n / 2;
	}
	*before = p;
	return c;
}

static void *adder(void *arg)
{
	int p, c, link;
	do {
		c = find(key[TWO], &p);
		link = 2 * c;
		atomic_store(&next[TWO], link);
	} while (!atomic_compare_exchange_strong(&next[p], &link, 2 * TWO));
	return arg;
}

static void *remover(void *arg)
{
	int p, n, link;
	do {
		int c = find(key[ONE], &p);
		n = atomic_load(&next[c]);
		link = 2 * c;
	} while (!atomic_compare_exchange_strong(&next[p], &link, n));
	return arg;
}

int main(void)
{
	pthread_t a, r;
	int p;
	pthread_create(&a, 0, adder, 0);
	pthread_create(&r, 0, remover, 0);
	pthread_join(a, 0);
	pthread_join(r, 0);
	int one = find(key[ONE], &p);
	assert(one == TWO);
	int two = find(key[TWO], &p);
	assert(two == TWO);
	return 0;
}
