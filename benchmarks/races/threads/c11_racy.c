/* C11 threads: one of the accesses is outside of the mutex. Why it races: both threads change n after mtx_unlock; ThreadSanitizer
 * does not follow C11 threads. */
#include <threads.h>
static mtx_t m;
static once_flag once = ONCE_FLAG_INIT;
static int base, n;
static void setup(void) { base = 10; } // NORACE
static int worker(void *a)
{
	call_once(&once, setup);
	for (int i = 0; i < 100000; i++) {
		mtx_lock(&m);
		n += base; // RACE!
		mtx_unlock(&m);
		n++; // RACE!
	}
	return a != 0;
}
int main(void)
{
	thrd_t t, u;
	mtx_init(&m, mtx_plain);
	thrd_create(&t, worker, 0);
	thrd_create(&u, worker, 0);
	thrd_join(t, 0);
	thrd_join(u, 0);
	return n; // NORACE
}
