/* The same with a lock. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
char name[16] = "name", number[16] = "12 rest", title[16] = "title", list[16] = "a,b,c";
void *any = name;

void *reader(void *arg) {
	char *end, *part;
	pthread_mutex_lock(&lock);
	printf("%s\n", any);
	strtol(number, &end, 10);
	*end = '-';
	printf("%2$s %1$d\n", 1, (void *)title);
	part = strtok(NULL, ",");
	pthread_mutex_unlock(&lock);
	return part;
}

int main(void) {
	pthread_t t;
	strtok(list, ",");
	pthread_create(&t, NULL, reader, NULL);
	pthread_mutex_lock(&lock);
	name[0] = 'N';
	number[2] = ';';
	title[0] = 'T';
	list[2] = 'B';
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
