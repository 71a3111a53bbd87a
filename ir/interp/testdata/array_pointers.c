/* The address of an array points to the whole array. */
static int matrix[3][4];
static int v[5];
int main(void)
{
	int (*p)[4] = &matrix[0];
	long a = &matrix[2] - &matrix[0], b = p + 2 - p, c = &v[3] - v, d = (char *)(&v + 1) - (char *)&v, e = (char *)(&matrix[0] + 1) - (char *)matrix, f = (char *)(p + 1) - (char *)p;
	int (*w)[5] = &v;
	long h = (char *)(w + 1) - (char *)w;
	return a != 2 || b != 2 || c != 3 || d != 20 || e != 16 || f != 16 || h != 20;
}
