// Simpson's four-slot mechanism: a writer and a reader share a value of several words, and neither ever waits (H. R. Simpson,
// "Four-slot fully asynchronous communication mechanism", IEE Proceedings 137 E(1), 1990).
//
// The reader says which pair of slots it reads, and the writer takes the other pair; within a pair, the writer takes the slot
// that is not the latest. They are never in one slot together, so that the words, which are not atomic, do not race.
//
// EXPECT none csb=3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct value {
	int x, y;
};

static struct value data[2][2];
static atomic_int latest, reading, slot[2];

static void put(int v)
{
	int pair = !atomic_load(&reading);
	int index = !atomic_load(&slot[pair]);
	data[pair][index].x = v;
	data[pair][index].y = v;
	atomic_store(&slot[pair], index);
	atomic_store(&latest, pair);
}

static struct value get(void)
{
	int pair = atomic_load(&latest);
	atomic_store(&reading, pair);
	int index = atomic_load(&slot[pair]);
	return data[pair][index];
}

static void *writer(void *arg)
{
	put(1);
	put(2);
	return arg;
}

static void *reader(void *arg)
{
	struct value a = get();
	struct value b = get();
	assert(a.x == a.y && b.x == b.y);
	assert(a.x <= b.x);
	return arg;
}

int main(void)
{
	pthread_t w, r;
	pthread_create(&w, 0, writer, 0);
	pthread_create(&r, 0, reader, 0);
	pthread_join(w, 0);
	pthread_join(r, 0);
	return 0;
}
