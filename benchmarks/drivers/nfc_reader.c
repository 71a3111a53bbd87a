/* An NFC reader: commands are sent under a mutex, the handler queues frames under a spinlock, a work item looks at them.
 *
 * With RACY: An NFC reader: the work item counts bad frames with the wrong lock, and the mode is looked at without the
 * mutex. */
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/platform_device.h>
#include <linux/workqueue.h>
#include <linux/device.h>
#include <linux/io.h>
#include <net/nfc/nfc.h>

#define FRAMES 8
#define FRAME_SIZE 64
#define PORT 0x320
#define MODE_OFF 0
#define MODE_IDLE 1
#define MODE_POLL 2
#define MODE_TARGET 3

struct frame { unsigned len; unsigned char data[FRAME_SIZE]; };

struct reader {
	spinlock_t frames_lock;
	struct frame frames[FRAMES];
	unsigned head, count;
	u32 overruns;
	struct mutex cmd_lock;
	int mode;
	u32 protocols, active;
	u32 commands, bad_frames;
	unsigned char last_cmd;
	struct work_struct work;
	struct nfc_dev *nfc;
};

static struct reader rd;

/* Sends a command; the caller holds cmd_lock. */
static int send_cmd(struct reader *r, unsigned char cmd, unsigned char arg)
{
	unsigned i;

	for (i = 0; i < 100; i++) {
		if (inb(PORT) & 1)
			break;
		udelay(5);
	}
	outb(cmd, PORT + 1);
	outb(arg, PORT + 2);
	r->last_cmd = cmd; // NORACE
	r->commands++; // NORACE
	return i < 100 ? 0 : -EIO;
}

static irqreturn_t reader_irq(int irq, void *arg)
{
	struct reader *r = &rd;
	struct frame *f;
	unsigned i, n;

	if (!(inb(PORT) & 2))
		return IRQ_NONE;
	spin_lock(&r->frames_lock);
	if (r->count == FRAMES) { // NORACE
		r->overruns++; // NORACE
		spin_unlock(&r->frames_lock);
		return IRQ_HANDLED;
	}
	f = &r->frames[(r->head + r->count) % FRAMES];
	n = inb(PORT + 3) % FRAME_SIZE;
	for (i = 0; i < n; i++)
		f->data[i] = inb(PORT + 4); // NORACE
	f->len = n; // NORACE
	r->count++; // NORACE
	spin_unlock(&r->frames_lock);
	schedule_work(&r->work);
	return IRQ_HANDLED;
}

static int next_frame(struct reader *r, struct frame *out)
{
	unsigned long flags;
	int got = 0;

	spin_lock_irqsave(&r->frames_lock, flags);
	if (r->count > 0) { // NORACE
		*out = r->frames[r->head]; // NORACE
		r->head = (r->head + 1) % FRAMES; // NORACE
		r->count--; // NORACE
		got = 1;
	}
	spin_unlock_irqrestore(&r->frames_lock, flags);
	return got;
}

static void target_found(struct reader *r, struct frame *f)
{
	struct nfc_target t = { 0 };

	mutex_lock(&r->cmd_lock);
	if (r->mode != MODE_POLL) { // NORACE
		mutex_unlock(&r->cmd_lock);
		return;
	}
	r->mode = MODE_TARGET; // RACE! if RACY
	t.idx = f->data[1];
	mutex_unlock(&r->cmd_lock);
	nfc_targets_found(r->nfc, &t, 1);
}

static void bad_frame(struct reader *r)
{
#ifdef RACY
	unsigned long flags;

	spin_lock_irqsave(&r->frames_lock, flags);
#else
	mutex_lock(&r->cmd_lock);
#endif
	r->bad_frames++; // RACE! if RACY
#ifdef RACY
	spin_unlock_irqrestore(&r->frames_lock, flags);
#else
	mutex_unlock(&r->cmd_lock);
#endif
}

static void reader_work(struct work_struct *w)
{
	struct frame f;

	while (next_frame(&rd, &f)) {
		if (f.len < 2)
			bad_frame(&rd);
		else if (f.data[0] == 0x42)
			target_found(&rd, &f);
	}
}

static int reader_up(struct nfc_dev *nfc)
{
	struct reader *r = &rd;
	int err;

	mutex_lock(&r->cmd_lock);
	err = send_cmd(r, 1, 0);
	if (!err)
		r->mode = MODE_IDLE; // RACE! if RACY
	mutex_unlock(&r->cmd_lock);
	return err;
}

static int reader_down(struct nfc_dev *nfc)
{
	struct reader *r = &rd;
	int err;

	mutex_lock(&r->cmd_lock);
	err = send_cmd(r, 0, 0);
	r->mode = MODE_OFF; // RACE! if RACY
	r->active = 0; // NORACE
	mutex_unlock(&r->cmd_lock);
	return err;
}

static int reader_start_poll(struct nfc_dev *nfc, u32 im, u32 tm)
{
	struct reader *r = &rd;
	int err = -EBUSY;

	mutex_lock(&r->cmd_lock);
	if (r->mode == MODE_IDLE) { // NORACE
		err = send_cmd(r, 2, im);
		if (!err) {
			r->mode = MODE_POLL; // RACE! if RACY
			r->protocols = im; // NORACE
		}
	}
	mutex_unlock(&r->cmd_lock);
	return err;
}

static void reader_stop_poll(struct nfc_dev *nfc)
{
	struct reader *r = &rd;

	mutex_lock(&r->cmd_lock);
	if (r->mode == MODE_POLL) { // NORACE
		send_cmd(r, 3, 0);
		r->mode = MODE_IDLE; // RACE! if RACY
	}
	mutex_unlock(&r->cmd_lock);
}

static int reader_activate(struct nfc_dev *nfc, struct nfc_target *t, u32 protocol)
{
	struct reader *r = &rd;
	int err = -EINVAL;

	mutex_lock(&r->cmd_lock);
	if (r->mode == MODE_TARGET && (r->protocols & protocol)) { // NORACE
		err = send_cmd(r, 4, t->idx);
		r->active = protocol; // NORACE
	}
	mutex_unlock(&r->cmd_lock);
	return err;
}

static ssize_t mode_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct reader *r = &rd;
	int m;

#ifndef RACY
	mutex_lock(&r->cmd_lock);
#endif
	m = r->mode; // RACE! if RACY
#ifndef RACY
	mutex_unlock(&r->cmd_lock);
#endif
	return sprintf(buf, "%d\n", m);
}

static ssize_t errors_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct reader *r = &rd;
	unsigned long flags;
	u32 bad, over;

	mutex_lock(&r->cmd_lock);
	bad = r->bad_frames; // RACE! if RACY
	mutex_unlock(&r->cmd_lock);
	spin_lock_irqsave(&r->frames_lock, flags);
	over = r->overruns; // NORACE
	spin_unlock_irqrestore(&r->frames_lock, flags);
	return sprintf(buf, "%u %u\n", bad, over);
}

static DEVICE_ATTR(mode, 0444, mode_show, NULL);
static DEVICE_ATTR(errors, 0444, errors_show, NULL);

static struct nfc_ops reader_ops = {
	.dev_up = reader_up,
	.dev_down = reader_down,
	.start_poll = reader_start_poll,
	.stop_poll = reader_stop_poll,
	.activate_target = reader_activate,
};

static int reader_probe(struct platform_device *pdev)
{
	int err;

	spin_lock_init(&rd.frames_lock);
	mutex_init(&rd.cmd_lock);
	rd.nfc = nfc_allocate_device(&reader_ops, 0xff, 0, 0);
	if (!rd.nfc)
		return -ENOMEM;
	INIT_WORK(&rd.work, reader_work);
	err = request_irq(platform_get_irq(pdev, 0), reader_irq, 0, "nfc", &rd);
	if (err)
		goto free;
	err = nfc_register_device(rd.nfc);
	if (err)
		goto irq;
	device_create_file(&pdev->dev, &dev_attr_mode);
	device_create_file(&pdev->dev, &dev_attr_errors);
	return 0;
irq:
	free_irq(platform_get_irq(pdev, 0), &rd);
free:
	nfc_free_device(rd.nfc);
	return err;
}

static int reader_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_mode);
	device_remove_file(&pdev->dev, &dev_attr_errors);
	nfc_unregister_device(rd.nfc);
	free_irq(platform_get_irq(pdev, 0), &rd);
	cancel_work_sync(&rd.work);
	return 0;
}

static struct platform_driver reader_driver = {
	.probe = reader_probe,
	.remove = reader_remove,
	.driver = { .name = "nfc-reader" },
};

static int __init reader_init(void) { return platform_driver_register(&reader_driver); }
static void __exit reader_exit(void) { platform_driver_unregister(&reader_driver); }
module_init(reader_init)
module_exit(reader_exit)
MODULE_LICENSE("GPL");
