/*
 * One command of an ioctl reads the mode without the mutex.
 *
 * unreach-call: true, the mode is 1 or 2 at all times.
 * no-data-race: false, the plain read and a store under the mutex conflict.
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
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int mode = 1;
int dev_ioctl(int cmd)
{
	int r = 0;
	switch (cmd) {
	case 1:
	case 2:
		pthread_mutex_lock(&lock);
		mode = cmd;
		pthread_mutex_unlock(&lock);
		break;
	case 3:
		r = mode;
		__VERIFIER_assert(r == 1 || r == 2);
		break;
	default:
		r = -22;
	}
	return r;
}
void *process(void *arg)
{
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
