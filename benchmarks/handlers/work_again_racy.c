/* A work item that is initialised again while it may run. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/workqueue.h>

struct again {
	int runs;
	struct work_struct work;
};

static struct again one;

static void run_again(struct work_struct *w)
{
	struct again *a = container_of(w, struct again, work);

	a->runs++; // RACE!
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	INIT_WORK(&one.work, run_again); // RACE!
	schedule_work(&one.work);
	return 0;
}

static const struct file_operations fops = { .read = dev_read };

static int __init dev_init(void) { return register_chrdev(240, "dev", &fops); }
module_init(dev_init)
