struct dev { int lock, stats; } dev;
static void count(void)
{
	dev.stats++;
}

struct file;
int dev_read(struct file *f)
{
	lock(&dev.lock);
	return	dev.stats;
}


int dev_write(struct file *f)
{
	int n = 1;

	count();
	return n;
}

int dev_irq(int n)
{
	asm("nop");
	return n;
}
