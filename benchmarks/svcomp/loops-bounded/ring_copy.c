/*
 * One thread writes 60 numbers into a ring and, each, into a copy; the other one takes them out and compares.
 *
 * unreach-call: true, what is compared is the same number, whichever it is.
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
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
#define SIZE 60
int ring[SIZE + 1], copy[SIZE], head, tail, full;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *writer(void *arg)
{
	pthread_mutex_lock(&m);
	if (!full) {
		for (int i = 0; i < SIZE; i++) {
			int v = __VERIFIER_nondet_int();
			ring[tail] = v;
			tail = tail == SIZE ? 0 : tail + 1;
			copy[i] = v;
		}
		full = 1;
	}
	pthread_mutex_unlock(&m);
	return 0;
}
void *reader(void *arg)
{
	pthread_mutex_lock(&m);
	if (full) {
		for (int i = 0; i < SIZE; i++) {
			int v = ring[head];
			head = head == SIZE ? 0 : head + 1;
			__VERIFIER_assert((v > 0) == (copy[i] > 0) && (v < 10) == (copy[i] < 10));
		}
		full = 0;
	}
	pthread_mutex_unlock(&m);
	return 0;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, writer, 0);
	pthread_create(&b, 0, reader, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
