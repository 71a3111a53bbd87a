/*
 * The probe function registers the device before it is set up.
 *
 * unreach-call: false, a process may find no base address.
 * no-data-race: false, the set-up and the processes' reads are not ordered.
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
struct device { int base, irq; } dev;
void *process(void *arg)
{
	struct device *d = arg;
	__VERIFIER_assert(d->base != 0 && d->irq == 5);
	return 0;
}
pthread_t users[2];
void register_device(void)
{
	for (int i = 0; i < 2; i++)
		pthread_create(&users[i], 0, process, &dev);
}
int probe(void)
{
	register_device();
	dev.base = 0x300;
	dev.irq = 5;
	return 0;
}
int main(void)
{
	probe();
	for (int i = 0; i < 2; i++)
		pthread_join(users[i], 0);
	return 0;
}
