/* Texts that library functions read and write for one thread while another one writes them: through void *, behind a pointer that strtol has set, by
 * position in a format, and where strtok goes on from its last call. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char name[16] = "name", number[16] = "12 rest", title[16] = "title", list[16] = "a,b,c";
void *any = name;

void *reader(void *arg) {
	char *end, *part;
	printf("%s\n", any);               // RACE!
	strtol(number, &end, 10);          // RACE!
	*end = '-';                        // RACE!
	printf("%2$s %1$d\n", 1, (void *)title); // RACE!
	part = strtok(NULL, ",");          // RACE!
	return part;
}

int main(void) {
	pthread_t t;
	strtok(list, ",");
	pthread_create(&t, NULL, reader, NULL);
	name[0] = 'N';                     // RACE!
	number[2] = ';';                   // RACE!
	title[0] = 'T';                    // RACE!
	list[2] = 'B';                     // RACE!
	pthread_join(t, NULL);
	return 0;
}
