/* REFUTED: one too many. */
#include <assert.h>

static int sum(int n)
{
	int s = 0;
	for (int i = 1; i <= n; i++)
		s += i;
	return s;
}

int main(void)
{
	assert(sum(3) == 7);
	return 0;
}
