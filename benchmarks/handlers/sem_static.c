/* Semaphores that an initialiser sets to one are locks.
 *
 * With RACY: semaphores that an initialiser sets: one admits two, and after the other a counter is free for all. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/semaphore.h>

static DEFINE_SEMAPHORE(single);
#ifdef RACY
static struct semaphore pair = { 2 };
static int one, two, none;
#else
static struct semaphore pair = { 1 };
static int one, two;
#endif

static ssize_t sem_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	down(&single);
	one++; // NORACE
	up(&single);
#ifdef RACY
	none++; // RACE!
#endif
	return 0;
}

static ssize_t sem_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	if (down_interruptible(&pair))
		return -EINTR;
	two++; // RACE! if RACY
	up(&pair);
	return n;
}

static const struct file_operations sem_fops = { .owner = THIS_MODULE, .read = sem_read, .write = sem_write };
static struct miscdevice sem_dev = { .minor = MISC_DYNAMIC_MINOR, .name = "sem", .fops = &sem_fops };

static int __init sem_init_module(void)
{
	return misc_register(&sem_dev);
}

static void __exit sem_exit_module(void)
{
	misc_deregister(&sem_dev);
}

module_init(sem_init_module);
module_exit(sem_exit_module);
MODULE_LICENSE("GPL");
