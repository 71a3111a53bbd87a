// Ping and pong: two threads that take turns, with a condition variable (the strict alternation of E. W. Dijkstra, "Cooperating
// sequential processes", 1965, without its busy waiting).
//
// The turn is read and written under the lock, and at most one thread waits for each value: a signal reaches the right one.
//
// EXPECT none csb=1 unroll=2 deep=4
#include <assert.h>
#include <pthread.h>

enum { ROUNDS = 2 };

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turn, strokes;

static void *player(void *arg)
{
	int me = arg != 0;
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&m);
		while (turn != me)
			pthread_cond_wait(&turned, &m);
		assert(strokes % 2 == me);
		strokes++;
		turn = 1 - me;
		pthread_cond_signal(&turned);
		pthread_mutex_unlock(&m);
	}
	return 0;
}

int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, player, 0);
	pthread_create(&b, 0, player, &a);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(strokes == 2 * ROUNDS);
	return 0;
}
