/* Each open file queues a work item of its own: the handler does not run twice at a time for one of them. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct job {
	int runs;
	struct work_struct work;
};

static void run(struct work_struct *w)
{
	struct job *j = container_of(w, struct job, work);

	j->runs++; // NORACE
}

static int dev_open(struct inode *inode, struct file *file)
{
	struct job *j = kzalloc(sizeof(*j), GFP_KERNEL);

	if (!j)
		return -ENOMEM;
	INIT_WORK(&j->work, run);
	schedule_work(&j->work);
	return 0;
}

static const struct file_operations fops = { .open = dev_open };

static int __init dev_init(void) { return register_chrdev(240, "dev", &fops); }
module_init(dev_init)
