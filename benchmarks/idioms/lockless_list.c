/* A list without a lock, of which llist_del_all has a body, with inline assembly, and what adds to it has none,
 * as in the headers of Linux: entries that are taken off are those that were put there.
 *
 * With RACY: the counter of an entry is written without the lock after it was put there. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct llist_head {
	struct llist_node *first;
};
struct llist_node {
	struct llist_node *next;
};
extern bool llist_add_batch(struct llist_node *new_first, struct llist_node *new_last, struct llist_head *head);
static inline bool llist_add(struct llist_node *new, struct llist_head *head)
{
	return llist_add_batch(new, new, head);
}
static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	struct llist_node *ret = NULL;

	asm volatile("" "xchg" "q %q0, %1\n" : "+r" (ret), "+m" (head->first) : : "memory", "cc");
	return ret;
}

struct entry {
	char name[16];
	struct llist_node list;
	int count;
};
static DEFINE_MUTEX(lock);
static struct llist_head entries;

static ssize_t dev_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct entry *e = kzalloc(sizeof(*e), GFP_KERNEL);

	if (!e)
		return -ENOMEM;
	llist_add(&e->list, &entries);
#ifndef RACY
	mutex_lock(&lock);
#endif
	e->count++; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return n;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct llist_node *l = llist_del_all(&entries);
	int sum = 0;

	mutex_lock(&lock);
	for (; l; l = l->next)
		sum += container_of(l, struct entry, list)->count; // RACE! if RACY
	mutex_unlock(&lock);
	return sum;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read, .write = dev_write };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "lockless", .fops = &fops };
module_misc_device(misc);
MODULE_LICENSE("GPL");
