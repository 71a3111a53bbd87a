/* Two threads take turns, but whose turn it is, is looked at before the lock is taken. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn;
static long text[2];
static void wait_turn(int who)
{
	if (turn != who) { // RACE!
		pthread_mutex_lock(&m);
		while (turn != who) // NORACE
			pthread_cond_wait(&c, &m);
		return;
	}
	pthread_mutex_lock(&m);
	while (turn != who) // NORACE
		pthread_cond_wait(&c, &m);
}
static void pass(int who)
{
	turn = !who; // RACE!
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
}
static void *player(void *a)
{
	int me = a != 0;
	for (int i = 0; i < 100; i++) {
		wait_turn(me);
		text[0] += me; // NORACE
		text[1]++; // NORACE
		pass(me);
	}
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, 0, player, 0);
	pthread_create(&u, 0, player, &turn);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return (int)text[1]; // NORACE
}
