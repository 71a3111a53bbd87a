// A barrier with a sense that is reversed every time, used twice (D. Hensgen, R. Finkel and U. Manber, "Two algorithms for
// barrier synchronization", International Journal of Parallel Programming 17(1), 1988).
//
// The last to come sets the count back before it turns the sense around, and nobody comes to the next barrier before that.
//
// EXPECT none csb=3 unroll=2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 2, PHASES = 2 };

static atomic_int waiting, sense;
static atomic_int done[N]; // the phases that each thread has done

static void barrier(int *mine)
{
	*mine = !*mine;
	if (atomic_fetch_add(&waiting, 1) == N - 1) {
		atomic_store(&waiting, 0);
		atomic_store(&sense, *mine);
	} else {
		while (atomic_load(&sense) != *mine)
			;
	}
}

static void *thread(void *arg)
{
	int me = arg != 0, mine = 0;
	for (int i = 1; i <= PHASES; i++) {
		atomic_store(&done[me], i);
		barrier(&mine);
		assert(atomic_load(&done[1 - me]) >= i);
	}
	return 0;
}

int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, &t);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
