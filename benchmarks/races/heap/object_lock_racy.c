/* Objects in a shared table, each with its own lock; one function takes the lock of another object. */
#include <pthread.h>
#include <stdlib.h>
#define N 4
struct obj { pthread_mutex_t lock; int value; };
static struct obj *table[N];
static void bump(int i)
{
	struct obj *o = table[i % N];
	struct obj *l = table[(i + 1) % N];
	pthread_mutex_lock(&l->lock);
	o->value++; // RACE!
	pthread_mutex_unlock(&l->lock);
}
static int peek(int i)
{
	struct obj *o = table[i % N];
	int v;
	pthread_mutex_lock(&o->lock);
	v = o->value; // RACE!
	pthread_mutex_unlock(&o->lock);
	return v;
}
static void *worker(void *a)
{
	int s = 0;
	for (int i = 0; i < 100000; i++) {
		bump(i);
		s += peek(i);
	}
	return (void *)(long)s;
}
int main(void)
{
	pthread_t t, u;
	for (int i = 0; i < N; i++) {
		table[i] = malloc(sizeof **table);
		if (!table[i])
			return 1;
		pthread_mutex_init(&table[i]->lock, 0);
		table[i]->value = 0; // NORACE
	}
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return table[0]->value; // NORACE
}
