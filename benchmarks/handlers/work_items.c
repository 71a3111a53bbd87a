/* Each open file queues a work item of its own: the handler does not run twice at a time for one of them.
 *
 * With RACY: work items of which each open file has its own, and a counter that they share. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct job {
	int runs;
	struct work_struct work;
};

#ifdef RACY
static int total;

#endif
static void run(struct work_struct *w)
{
	struct job *j = container_of(w, struct job, work);

	j->runs++; // NORACE
#ifdef RACY
	total++; // RACE!
#endif
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
