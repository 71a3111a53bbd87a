// A barrier of the system, used twice: nobody begins a phase before everybody has ended the one before (H. F. Jordan, "A
// special purpose architecture for finite element analysis", ICPP 1978, as POSIX has it).
//
// EXPECT none csb=1 deep=3
#include <assert.h>
#include <pthread.h>

enum { PHASES = 2 };

static pthread_barrier_t b;
static int done[2]; // the phases that each thread has done

static void *thread(void *arg)
{
	int me = arg != 0;
	for (int i = 1; i <= PHASES; i++) {
		done[me] = i;
		pthread_barrier_wait(&b);
		assert(done[1 - me] == i);
		pthread_barrier_wait(&b);
	}
	return 0;
}

int main(void)
{
	pthread_t t, u;
	pthread_barrier_init(&b, 0, 2);
	pthread_create(&t, 0, thread, 0);
	pthread_create(&u, 0, thread, &t);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
