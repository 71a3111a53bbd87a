/* What an atomic load returns has the type of the object: the high bits decide, and the write behind them runs. */
#include <pthread.h>
#include <stdatomic.h>
static _Atomic long state = 1L << 40;
static _Atomic unsigned char small = 255;
static int wide, narrow, minus;
static void *worker(void *arg)
{
	__auto_type k = atomic_load(&state);
	if (k != 0)
		wide = 1; // RACE!
	if (atomic_load(&small) > 200)
		narrow = 1; // RACE!
	if (~__atomic_load_n(&state, __ATOMIC_ACQUIRE) < -2147483648L)
		minus = 1; // RACE!
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	wide = 2; // RACE!
	narrow = 2; // RACE!
	minus = 2; // RACE!
	pthread_join(t, 0);
	return wide + narrow + minus; // NORACE
}
