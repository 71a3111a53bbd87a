/* C11 threads: a condition variable announces work; the mutex is held wherever the work is touched. */
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
		if (!end)
			work--; // NORACE
		mtx_unlock(&m);
		if (end)
			return a != 0;
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
		work++; // NORACE
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
