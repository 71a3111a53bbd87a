/*
 * The command of an ioctl is unknown; every command takes the mutex.
 *
 * unreach-call: true, the mode is 1 or 2 after every command.
 * no-data-race: true, mode and count are under the mutex.
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
extern unsigned int __VERIFIER_nondet_uint(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int mode = 1;
unsigned count;
int dev_ioctl(int cmd)
{
	int r = 0;
	pthread_mutex_lock(&lock);
	switch (cmd) {
	case 1:
		mode = 1;
		break;
	case 2:
		mode = 2;
		break;
	case 3:
		r = mode;
		__VERIFIER_assert(r == 1 || r == 2);
		break;
	default:
		count++;
		r = -22;
	}
	pthread_mutex_unlock(&lock);
	return r;
}
void *process(void *arg)
{
	unsigned n = __VERIFIER_nondet_uint();
	while (n-- > 0)
		dev_ioctl(__VERIFIER_nondet_int());
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
