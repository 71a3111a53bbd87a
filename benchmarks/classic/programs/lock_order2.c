// Two locks that are taken in both orders (the "deadly embrace" of E. W. Dijkstra, "Cooperating sequential processes", 1965):
// transfers between two accounts, in opposite directions.
//
// The first transfer holds its source and is preempted; the second holds its own and waits; both wait.
//
// EXPECT deadlock csb=1
#include <assert.h>
#include <pthread.h>

struct account {
	pthread_mutex_t lock;
	int balance;
};

static struct account a = { PTHREAD_MUTEX_INITIALIZER, 10 }, b = { PTHREAD_MUTEX_INITIALIZER, 20 };

static void transfer(struct account *from, struct account *to, int amount)
{
	pthread_mutex_lock(&from->lock);
	pthread_mutex_lock(&to->lock);
	from->balance -= amount;
	to->balance += amount;
	pthread_mutex_unlock(&to->lock);
	pthread_mutex_unlock(&from->lock);
}

static void *there(void *arg)
{
	transfer(&a, &b, 3);
	return arg;
}

static void *back(void *arg)
{
	transfer(&b, &a, 5);
	return arg;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, there, 0);
	pthread_create(&u, 0, back, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(a.balance == 12 && b.balance == 18);
	return 0;
}
