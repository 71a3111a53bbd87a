// A set as a sorted list without locks (T. L. Harris, "A pragmatic implementation of non-blocking linked-lists", DISC 2001).
//
// A node is removed by a mark in its own link, and unlinked afterwards: an insertion behind it changes the same link, so that
// one of the two fails and is tried again.
//
// EXPECT none csb=1 unroll=1 deep=2 slow
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
	int p, c, n;
	do {
		c = find(key[ONE], &p);
		n = atomic_load(&next[c]);
	} while ((n & MARK) || !atomic_compare_exchange_strong(&next[c], &n, n | MARK));
	int link = 2 * c;
	atomic_compare_exchange_strong(&next[p], &link, n);
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
