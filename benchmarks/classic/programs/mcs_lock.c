// The queue lock of J. M. Mellor-Crummey and M. L. Scott, "Algorithms for scalable synchronization on shared-memory
// multiprocessors", ACM Transactions on Computer Systems 9(1), 1991.
//
// Each thread waits at a node of its own, which the one before it in the queue releases. The last one takes itself out of the
// queue with a compare-and-swap, which fails if another has come meanwhile; then it waits for that one's link.
//
// EXPECT none csb=3 unroll=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
	struct node *_Atomic next;
	atomic_int locked;
};

static struct node *_Atomic tail;
static int inside; // the threads in the critical section

static void acquire(struct node *me)
{
	atomic_store(&me->next, 0);
	atomic_store(&me->locked, 1);
	struct node *before = atomic_exchange(&tail, me);
	if (!before)
		return;
	atomic_store(&before->next, me);
	while (atomic_load(&me->locked))
		;
}

static void release(struct node *me)
{
	struct node *next = atomic_load(&me->next);
	if (!next) {
		struct node *last = me;
		if (atomic_compare_exchange_strong(&tail, &last, 0))
			return;
		while (!(next = atomic_load(&me->next)))
			;
	}
	atomic_store(&next->locked, 0);
}

static struct node node[2];

static void *thread(void *arg)
{
	struct node *me = arg;
	acquire(me);
	inside++;
	assert(inside == 1);
	inside--;
	release(me);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, thread, &node[0]);
	pthread_create(&b, 0, thread, &node[1]);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
