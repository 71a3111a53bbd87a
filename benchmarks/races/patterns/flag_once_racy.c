/* Variables that are set, and tell less than what is made of them. */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static bool plain, late, early, again, up = true, done, twice;
static int by_plain, after, before, once_more, from_up, by_round, by_two;

static bool under(pthread_mutex_t *l, bool *flag) {
	pthread_mutex_lock(l);
	bool b = *flag;
	pthread_mutex_unlock(l);
	return b;
}

static void set(pthread_mutex_t *l, bool *flag, bool to) {
	pthread_mutex_lock(l);
	*flag = to;
	pthread_mutex_unlock(l);
}

static void *reader(void *arg) {
	if (plain) // RACE!
		by_plain++; // RACE!
	pthread_mutex_lock(&lock);
	bool b = late;
	pthread_mutex_unlock(&lock);
	if (b)
		after++; // RACE!
	before++; // RACE!
	pthread_mutex_lock(&lock);
	b = early;
	pthread_mutex_unlock(&lock);
	if (b)
		return NULL;
	pthread_mutex_lock(&lock);
	b = again;
	pthread_mutex_unlock(&lock);
	if (b)
		once_more++; // RACE!
	pthread_mutex_lock(&lock);
	b = up;
	pthread_mutex_unlock(&lock);
	if (b)
		from_up++; // RACE!
	if (under(&other, &twice))
		by_two++; // RACE!
	return NULL;
}

static void *round_(void *arg) {
	by_round++; // RACE!
	pthread_mutex_lock(&lock);
	done = true;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *sees(void *arg) {
	pthread_mutex_lock(&lock);
	bool b = done;
	pthread_mutex_unlock(&lock);
	if (b)
		by_round++; // RACE!
	return NULL;
}

static void *sets(void *arg) {
	by_two++; // RACE!
	set(&other, &twice, true);
	return NULL;
}

int main(void) {
	pthread_t t;
	pthread_create(&t, NULL, reader, NULL);
	pthread_create(&t, NULL, sees, NULL);
	pthread_create(&t, NULL, sets, NULL);
	by_plain = 1;   // RACE!
	plain = true;   // RACE!
	set(&lock, &late, true);
	after = 1;      // RACE!
	before = 1;     // RACE!
	set(&lock, &early, true);
	set(&lock, &again, true);
	set(&lock, &again, false);
	once_more = 1;  // RACE!
	set(&lock, &again, true);
	from_up = 1;    // RACE!
	set(&lock, &up, false);
	set(&other, &twice, true);
	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, round_, NULL);
		pthread_join(t, NULL);
	}
	return 0;
}
