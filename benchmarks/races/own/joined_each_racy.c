/* Joins in loops that do not wait for the thread of the thing that is looked at then. */
#include <pthread.h>
#define N 3

static long ahead[N], swapped[N], twice[N], shifted[2 * N], passed[N];
static pthread_t s[N];

static void *count(void *arg) {
	long *p = arg;
	*p += 1; // RACE!
	return NULL;
}

static void *number(void *arg) {
	swapped[(long)arg] += 1; // RACE!
	return NULL;
}

static void *pass(void *arg) {
	pthread_t t;
	pthread_create(&t, NULL, count, arg);
	return NULL;
}

int main(int argc, char **argv) {
	pthread_t t[N], u[N];
	long sum = 0, *base = shifted;
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, count, &ahead[i]);
	for (int i = 0; i < N; i++) {
		pthread_join(t[i], NULL);
		sum += ahead[(i + 1) % N]; // RACE!
	}
	for (long i = 0; i < N; i++)
		pthread_create(&u[N - 1 - i], NULL, number, (void *)i);
	for (int i = 0; i < N; i++) {
		pthread_join(u[i], NULL);
		sum += swapped[i]; // RACE!
	}
	for (int i = 0; i < N; i++)
		if (argc > 1)
			pthread_create(&s[i], NULL, count, &twice[i]);
		else
			pthread_create(&s[i], NULL, count, &twice[N - 1 - i]);
	for (int i = 0; i < N; i++) {
		pthread_join(s[i], NULL);
		sum += twice[i]; // RACE!
	}
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, count, &base[i]);
	base++;
	for (int i = 0; i < N; i++) {
		pthread_join(t[i], NULL);
		sum += base[i]; // RACE!
	}
	for (int i = 0; i < N; i++)
		pthread_create(&t[i], NULL, pass, &passed[i]);
	for (int i = 0; i < N; i++) {
		pthread_join(t[i], NULL);
		sum += passed[i]; // RACE!
	}
	return sum;
}
