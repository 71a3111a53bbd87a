/*
 * Reads move the position of an open file by as much as is there, seeks set it. A read looks at it again after it has let go of the lock.
 *
 * unreach-call: false, a seek may set the position between the two sections of a read.
 * no-data-race: true, the position is under one lock, the size is set before the threads start.
 */
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int cond)
{
	if (!cond) {
		reach_error();
		abort();
	}
}
extern unsigned long __VERIFIER_nondet_ulong(void);
extern int __VERIFIER_nondet_int(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct file {
	long long pos;
};
unsigned long size;
void *read_some(void *arg)
{
	struct file *f = arg;
	unsigned long count = __VERIFIER_nondet_ulong(), i;
	pthread_mutex_lock(&lock);
	for (i = f->pos; count > 0 && i < size; i++, count--)
		if (__VERIFIER_nondet_int())
			break;
	f->pos = i;
	pthread_mutex_unlock(&lock);
	pthread_mutex_lock(&lock);
	__VERIFIER_assert(f->pos == (long long)i);
	pthread_mutex_unlock(&lock);
	return 0;
}
void *seek(void *arg)
{
	struct file *f = arg;
	long long to = __VERIFIER_nondet_int();
	pthread_mutex_lock(&lock);
	f->pos = to;
	__VERIFIER_assert(f->pos == to);
	pthread_mutex_unlock(&lock);
	return 0;
}
int main(void)
{
	pthread_t r, s;
	struct file *f = malloc(sizeof(*f));
	if (!f)
		return 0;
	f->pos = __VERIFIER_nondet_int();
	size = __VERIFIER_nondet_ulong();
	pthread_create(&r, 0, read_some, f);
	pthread_create(&s, 0, seek, f);
	pthread_join(r, 0);
	pthread_join(s, 0);
	return 0;
}
