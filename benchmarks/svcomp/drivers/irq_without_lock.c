/*
 * The interrupt handler does not take the lock that the read takes.
 *
 * unreach-call: false, the handler may have stored the last value but not yet the data, from an earlier round
 *   still fresh.
 * no-data-race: false, the handler's stores and the read's accesses have no lock in common.
 */
#include <pthread.h>
extern void abort(void);
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
pthread_spinlock_t lock;
int fresh, data, last;
void *irq(void *arg)
{
	for (int i = 1; i <= 2; i++) {
		last = i;
		data = i;
		fresh = 1;
	}
	return 0;
}
void *reader(void *arg)
{
	pthread_spin_lock(&lock);
	if (fresh) {
		__VERIFIER_assert(data == last);
		fresh = 0;
	}
	pthread_spin_unlock(&lock);
	return 0;
}
int main(void)
{
	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	pthread_t t1, t2;
	pthread_create(&t1, 0, irq, 0);
	pthread_create(&t2, 0, reader, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
