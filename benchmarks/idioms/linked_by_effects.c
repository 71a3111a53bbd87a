/* A queue of which the function that adds to it is modelled by what it writes, and what looks into it has a body: an
 * entry that is found there is one that was added.
 *
 * With RACY: an entry is written without the lock after it was added. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct sk_buff_head;
struct sk_buff {
	struct sk_buff *next, *prev;
	unsigned int len;
};
struct sk_buff_head {
	struct sk_buff *next, *prev;
};
extern void __skb_queue_tail(struct sk_buff_head *list, struct sk_buff *newsk);
static inline struct sk_buff *first(struct sk_buff_head *list)
{
	struct sk_buff *skb = list->next;

	return skb == (struct sk_buff *)list ? NULL : skb;
}

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(queued);
static struct sk_buff_head queue = { (struct sk_buff *)&queue, (struct sk_buff *)&queue };

static ssize_t dev_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct sk_buff *skb = kzalloc(sizeof(*skb), GFP_KERNEL);

	if (!skb)
		return -ENOMEM;
	mutex_lock(&queued);
	__skb_queue_tail(&queue, skb);
	mutex_unlock(&queued);
#ifndef RACY
	mutex_lock(&lock);
#endif
	skb->len++; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&lock);
#endif
	return n;
}

static ssize_t dev_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct sk_buff *skb;

	mutex_lock(&queued);
	skb = first(&queue);
	mutex_unlock(&queued);
	if (!skb)
		return 0;
	mutex_lock(&lock);
	n = skb->len; // RACE! if RACY
	mutex_unlock(&lock);
	return n;
}

static const struct file_operations fops = { .owner = THIS_MODULE, .read = dev_read, .write = dev_write };
static struct miscdevice misc = { .minor = MISC_DYNAMIC_MINOR, .name = "queue", .fops = &fops };
module_misc_device(misc);
MODULE_LICENSE("GPL");
