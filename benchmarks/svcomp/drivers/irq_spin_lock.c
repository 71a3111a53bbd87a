/*
 * An interrupt handler and a read share the status and the data of a device under a spin lock.
 *
 * unreach-call: true, handler and read change status and data together: fresh data are always the last that
 *   came.
 * no-data-race: true, status and data are under the spin lock.
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
extern int __VERIFIER_nondet_int(void);
pthread_spinlock_t lock;
int fresh, data, last;
void *irq(void *arg)
{
	pthread_spin_lock(&lock);
	last = __VERIFIER_nondet_int();
	data = last;
	fresh = 1;
	pthread_spin_unlock(&lock);
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
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, irq, 0);
	pthread_create(&t2, 0, irq, 0);
	pthread_create(&t3, 0, reader, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
