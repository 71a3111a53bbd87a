/* A plain access against an atomic one is a race; volatile is not atomic. */
#include <pthread.h>
static int raw;
static volatile int flag;
static void *worker(void *a)
{
	__atomic_fetch_add(&raw, 1, __ATOMIC_SEQ_CST); // RACE!
	flag = 1; // RACE!
	return 0;
}
int main(void)
{
	pthread_t a;
	pthread_create(&a, 0, worker, 0);
	int r = raw; // RACE!
	r += flag; // RACE!
	pthread_join(a, 0);
	return r + raw; // NORACE
}
