/*
 * Writers hold a spin lock, the reader does not.
 *
 * unreach-call: true, the value only grows from 0 to 2, whatever the reader sees is in that range.
 * no-data-race: false, the read holds no lock and may come right beside a write.
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
pthread_spinlock_t s;
int n;
void *writer(void *arg)
{
	pthread_spin_lock(&s);
	n++;
	pthread_spin_unlock(&s);
	return 0;
}
void *reader(void *arg)
{
	int v = n;
	__VERIFIER_assert(v >= 0 && v <= 2);
	return 0;
}
int main(void)
{
	pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
	pthread_t t1, t2, t3;
	pthread_create(&t1, 0, writer, 0);
	pthread_create(&t2, 0, writer, 0);
	pthread_create(&t3, 0, reader, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	return 0;
}
