/*
 * A character device: open, write and read may come from several processes; one mutex protects the buffer.
 *
 * unreach-call: true, the length never passes the size of the buffer, as test and append are in one critical
 *   section.
 * no-data-race: true, buffer and length are under the device's mutex.
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
#define SIZE 4
struct device {
	pthread_mutex_t lock;
	int buffer[SIZE];
	int length;
} dev = { .lock = PTHREAD_MUTEX_INITIALIZER };
int dev_write(int v)
{
	int done = -1;
	pthread_mutex_lock(&dev.lock);
	if (dev.length < SIZE) {
		dev.buffer[dev.length++] = v;
		done = 1;
	}
	__VERIFIER_assert(dev.length <= SIZE);
	pthread_mutex_unlock(&dev.lock);
	return done;
}
int dev_read(void)
{
	int v = -1;
	pthread_mutex_lock(&dev.lock);
	if (dev.length > 0)
		v = dev.buffer[--dev.length];
	__VERIFIER_assert(dev.length >= 0);
	pthread_mutex_unlock(&dev.lock);
	return v;
}
void *process(void *arg)
{
	dev_write(__VERIFIER_nondet_int());
	dev_read();
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, process, 0);
	pthread_create(&t2, 0, process, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
