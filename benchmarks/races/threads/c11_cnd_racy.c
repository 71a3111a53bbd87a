/* C11 threads: the work is taken after the unlock. Why it races: the giver may add the next piece of work under the mutex
 * while the taker, which has let it go, subtracts one; ThreadSanitizer does not follow C11 threads. */
#include <threads.h>
static mtx_t m;
static cnd_t some;
static int work, over;
static int taker(void *a)
{
	for (;;) {
		mtx_lock(&m);
		while (!work && !over) // NORACE
			cnd_wait(&some, &m);
		int end = !work; // NORACE
		mtx_unlock(&m);
		if (end)
			return a != 0;
		work--; // RACE!
	}
}
int main(void)
{
	thrd_t t;
	mtx_init(&m, mtx_plain);
	cnd_init(&some);
	thrd_create(&t, taker, 0);
	for (int i = 0; i < 1000; i++) {
		mtx_lock(&m);
		work++; // RACE!
		cnd_signal(&some);
		mtx_unlock(&m);
	}
	mtx_lock(&m);
	over = 1; // NORACE
	cnd_broadcast(&some);
	mtx_unlock(&m);
	thrd_join(t, 0);
	return work; // NORACE
}
