// The queue lock of J. M. Mellor-Crummey and M. L. Scott (ACM Transactions on Computer Systems 9(1), 1991) with threads that
// sleep, and a release that empties the queue without a compare-and-swap.
//
// The holder sees nobody behind itself and is preempted. The other thread queues up and sleeps; the holder empties the queue
// and goes; nobody wakes the other one.
//
// EXPECT deadlock csb=1
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

struct node {
	struct node *_Atomic next;
	sem_t turn;
};

static struct node *_Atomic tail;
static struct node node[2];
static int inside; // guarded by the lock

static void acquire(struct node *me)
{
	struct node *before = atomic_exchange(&tail, me);
	if (!before)
		return;
	atomic_store(&before->next, me);
	sem_wait(&me->turn);
}

static void release(struct node *me)
{
	struct node *next = atomic_load(&me->next);
	if (!next)
		atomic_store(&tail, 0); // if it is still me
	else
		sem_post(&next->turn);
}

static void *thread(void *arg)
{
	struct node *me = arg;
	acquire(me);
	inside++;
	release(me);
	return 0;
}

int main(void)
{
	pthread_t a, b;
	sem_init(&node[0].turn, 0, 0);
	sem_init(&node[1].turn, 0, 0);
	pthread_create(&a, 0, thread, &node[0]);
	pthread_create(&b, 0, thread, &node[1]);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
