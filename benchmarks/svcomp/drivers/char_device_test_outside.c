/*
 * The write of a character device tests for room before it takes the mutex.
 *
 * unreach-call: false, two writers may both find room for one, and the length passes the size.
 * no-data-race: false, the test reads the length without the mutex.
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
#define SIZE 1
struct device {
	pthread_mutex_t lock;
	int buffer[SIZE + 1];
	int length;
} dev = { .lock = PTHREAD_MUTEX_INITIALIZER };
int dev_write(int v)
{
	if (dev.length >= SIZE)
		return -1;
	pthread_mutex_lock(&dev.lock);
	dev.buffer[dev.length++] = v;
	__VERIFIER_assert(dev.length <= SIZE);
	pthread_mutex_unlock(&dev.lock);
	return 1;
}
void *process(void *arg)
{
	dev_write(__VERIFIER_nondet_int());
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
