/* Two threads: main joins the first and reads what the second writes. */
#include <pthread.h>
static int a, b;
static void *first(void *x) { a = 1; return x; } // NORACE
static void *second(void *x) { b = 2; return x; } // RACE!
int main(void)
{
	pthread_t t, u;
	int r;
	pthread_create(&t, 0, first, 0);
	pthread_create(&u, 0, second, 0);
	pthread_join(t, 0);
	r = a; // NORACE
	r += b; // RACE!
	pthread_join(u, 0);
	return r;
}
