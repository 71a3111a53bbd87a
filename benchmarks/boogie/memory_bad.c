/* REFUTED: memory of malloc is not zero. */
#include <assert.h>
#include <stdlib.h>

int main(void)
{
	int *p = malloc(sizeof *p);
	if (!p)
		return 1;
	assert(*p == 0);
	return 0;
}
