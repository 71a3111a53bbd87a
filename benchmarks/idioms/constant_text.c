/* What is declared const is not written, whatever pointers lead there: a write through a
 * pointer that may lead to a constant is one to the other objects.
 *
 * With RACY: the text that is written is read without the lock. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>

static const char fixed[4] = "abc";
static char own[4];
static char *texts[2] = { (char *)fixed, own };
static DEFINE_MUTEX(lock);

static ssize_t text_read(struct file *f, char __user *buf, size_t n, loff_t *pos)
{
#ifdef RACY
	return own[0]; // RACE! if RACY
#else
	return fixed[0];
#endif
}

static long text_ioctl(struct file *f, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	texts[cmd & 1][0] = 'x'; // RACE! if RACY
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations text_fops = {
	.owner = THIS_MODULE,
	.read = text_read,
	.unlocked_ioctl = text_ioctl,
};

static struct miscdevice text_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "text",
	.fops = &text_fops,
};

module_misc_device(text_misc);
MODULE_LICENSE("GPL");
