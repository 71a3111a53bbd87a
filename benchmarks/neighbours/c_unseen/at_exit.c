// What runs at the end has no body here, and may start a thread.
#include <stdlib.h>

void cleanup(void);

int main(void) {
	atexit(cleanup);
	return 0;
}
