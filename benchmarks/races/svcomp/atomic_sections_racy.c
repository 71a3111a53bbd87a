/* One access is outside of the atomic sections. An atomic section excludes other sections, not plain code: what ThreadSanitizer
 * sees depends on how the sections are built; by the definition an access in a section and one outside race. */
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;
static void *worker(void *a)
{
	__VERIFIER_atomic_begin();
	x++; // RACE!
	__VERIFIER_atomic_end();
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, worker, 0);
	pthread_create(&u, 0, worker, 0);
	x = 5; // RACE!
	pthread_join(t, 0);
	pthread_join(u, 0);
	return x; // NORACE
}
