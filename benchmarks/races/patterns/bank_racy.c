/* Transfers between accounts that lock the payer only. */
#include <pthread.h>
struct account { pthread_mutex_t lock; long balance; };
static struct account a[2];
static void transfer(struct account *from, struct account *to, long n)
{
	pthread_mutex_lock(&from->lock);
	from->balance -= n; // RACE!
	to->balance += n; // RACE!
	pthread_mutex_unlock(&from->lock);
}
static void *there(void *x)
{
	for (int i = 0; i < 1000; i++)
		transfer(&a[0], &a[1], 5);
	return x;
}
static void *back(void *x)
{
	for (int i = 0; i < 1000; i++)
		transfer(&a[1], &a[0], 5);
	return x;
}
int main(void)
{
	pthread_t t, u;
	pthread_mutex_init(&a[0].lock, 0);
	pthread_mutex_init(&a[1].lock, 0);
	pthread_create(&t, 0, there, 0);
	pthread_create(&u, 0, back, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return (int)(a[0].balance + a[1].balance); // NORACE
}
