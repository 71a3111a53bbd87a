/*
 * A driver that was made a program: the table of its operations is registered with a core that is part of the program, and two threads call some of them.
 *
 * unreach-call: true, reads and writes hold the lock, and nobody calls reset, which does not.
 * no-data-race: true, for the same reason.
 */
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }

struct file { void *private_data; };
struct file_operations {
	int (*open)(struct file *);
	int (*read)(struct file *);
	int (*write)(struct file *);
	int (*release)(struct file *);
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int low, high;

static int dev_read(struct file *f)
{
	pthread_mutex_lock(&lock);
	if (low != high)
		reach_error();
	pthread_mutex_unlock(&lock);
	return 0;
}
static int dev_write(struct file *f)
{
	pthread_mutex_lock(&lock);
	low++;
	high++;
	pthread_mutex_unlock(&lock);
	return 0;
}
static int dev_reset(struct file *f)
{
	low = 1;
	return 0;
}
static const struct file_operations fops = { .open = dev_reset, .read = dev_read, .write = dev_write };

static const struct file_operations *registered;
static void core_register(const struct file_operations *ops) { registered = ops; }

static struct file the_file;
static void *reader(void *arg)
{
	registered->read(&the_file);
	return 0;
}
static void *writer(void *arg)
{
	registered->write(&the_file);
	return 0;
}
int main(void)
{
	pthread_t t, u;
	core_register(&fops);
	pthread_create(&t, 0, reader, 0);
	pthread_create(&u, 0, writer, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	return 0;
}
