/*
 * A writer changes a variable twice inside an atomic section; a reader looks at it with a plain read.
 *
 * unreach-call: true, nothing runs between the two steps of the section, so the reader sees 0 or 2, both even.
 * no-data-race: false, the plain read is not in a section and may come right before the section's write, or
 *   right after it.
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
int x;
void *writer(void *arg)
{
	__VERIFIER_atomic_begin();
	x++;
	x++;
	__VERIFIER_atomic_end();
	return 0;
}
void *reader(void *arg)
{
	int v = x;
	__VERIFIER_assert(v % 2 == 0);
	return 0;
}
int main(void)
{
	pthread_t t1, t2;
	pthread_create(&t1, 0, writer, 0);
	pthread_create(&t2, 0, reader, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	return 0;
}
