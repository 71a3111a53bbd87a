/* An NFC chip behind a memory-mapped FIFO. Frames arrive in the interrupt's thread; a mutex protects the transport, the
 * state of the chip and the recovery from faults, and a spin lock what the interrupt handler itself touches.
 *
 * With RACY: The interrupt handler notes the status without the lock that its thread takes, the recovery looks for a fault
 * before it takes the mutex, and the presence of a target is told from the state without it. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/skbuff.h>
#include <net/nfc/nfc.h>
#include <net/nfc/hci.h>

#define FRAME_MAX 64
#define FRAME_HEAD 2
#define FAULTS_MAX 3

#define REG_POWER 0x00
#define REG_STATUS 0x04
#define REG_LENGTH 0x08
#define REG_FIFO 0x0c
#define REG_IRQ_ACK 0x10
#define REG_POLL 0x14

#define STATUS_IRQ 0x01
#define STATUS_READY 0x02
#define STATUS_FAULT 0x04
#define EVENT_TARGET 0x10

enum chip_state { CHIP_OFF, CHIP_IDLE, CHIP_POLLING, CHIP_TARGET, CHIP_DEAD };

struct chip_counts {
	u32 sent, received, malformed, recoveries;
};

struct chip {
	struct nfc_hci_dev *hdev;
	const struct nfc_phy_ops *phy;
	void __iomem *regs;
	int irq;

	struct mutex lock;
	enum chip_state state;
	u32 protocols;
	int fault;		/* to be repaired by the work item, or given up */
	unsigned tries;
	u8 frame[FRAME_MAX];
	struct chip_counts counts;
	struct work_struct recovery;

	spinlock_t irq_lock;
	u32 irqs, spurious;
	u8 status;
};

static struct chip *the_chip;

static void chip_power(struct chip *c, int on)
{
	iowrite32(on, c->regs + REG_POWER);
	msleep(on ? 15 : 1);
}

/* Called with the mutex held. */
static int chip_wait_ready(struct chip *c)
{
	int i;

	for (i = 0; i < 10; i++) {
		if (ioread32(c->regs + REG_STATUS) & STATUS_READY)
			return 0;
		msleep(2);
	}
	c->fault = -EIO; // RACE! if RACY
	return -EIO;
}

static int chip_phy_write(void *phy_id, struct sk_buff *skb)
{
	struct chip *c = phy_id;
	unsigned i;
	int err;

	mutex_lock(&c->lock);
	err = c->fault; // NORACE
	if (!err && c->state == CHIP_OFF)
		err = -ENODEV;
	if (!err)
		err = chip_wait_ready(c);
	if (!err) {
		iowrite32(skb->len, c->regs + REG_LENGTH);
		for (i = 0; i < skb->len; i++)
			iowrite32(skb->data[i], c->regs + REG_FIFO); // NORACE
		c->counts.sent++; // NORACE
	}
	mutex_unlock(&c->lock);
	return err;
}

static int chip_phy_enable(void *phy_id)
{
	struct chip *c = phy_id;
	int err;

	mutex_lock(&c->lock);
	chip_power(c, 1);
	c->fault = 0; // RACE! if RACY
	c->tries = 0; // NORACE
	err = chip_wait_ready(c);
	c->state = err ? CHIP_OFF : CHIP_IDLE; // RACE! if RACY
	mutex_unlock(&c->lock);
	return err;
}

static void chip_phy_disable(void *phy_id)
{
	struct chip *c = phy_id;

	mutex_lock(&c->lock);
	c->state = CHIP_OFF; // RACE! if RACY
	chip_power(c, 0);
	mutex_unlock(&c->lock);
}

static const struct nfc_phy_ops chip_phy_ops = {
	.write = chip_phy_write,
	.enable = chip_phy_enable,
	.disable = chip_phy_disable,
};

static irqreturn_t chip_irq(int irq, void *arg)
{
	struct chip *c = arg;
	u8 status = ioread8(c->regs + REG_STATUS);
	irqreturn_t r = IRQ_WAKE_THREAD;

#ifdef RACY
	if (status & STATUS_IRQ)
		c->status |= status; // RACE!
#endif
	spin_lock(&c->irq_lock);
	if (status & STATUS_IRQ) {
		c->irqs++; // NORACE
#ifndef RACY
		c->status |= status; // NORACE
#endif
	} else {
		c->spurious++;
		r = IRQ_NONE;
	}
	spin_unlock(&c->irq_lock);
	return r;
}

/* Called with the mutex held. Returns the length of the frame, 0 if there is none. */
static unsigned chip_read_frame(struct chip *c)
{
	unsigned n = ioread32(c->regs + REG_LENGTH);
	unsigned i;
	u8 sum = 0;

	if (n <= FRAME_HEAD || n > FRAME_MAX) {
		c->counts.malformed++; // NORACE
		return 0;
	}
	for (i = 0; i < n; i++) {
		c->frame[i] = ioread8(c->regs + REG_FIFO); // NORACE
		sum ^= c->frame[i];
	}
	if (sum) {
		c->counts.malformed++; // NORACE
		return 0;
	}
	c->counts.received++;
	return n;
}

static u8 chip_take_status(struct chip *c)
{
	unsigned long flags;
	u8 s;

	spin_lock_irqsave(&c->irq_lock, flags);
	s = c->status; // RACE! if RACY
	c->status = 0; // RACE! if RACY
	spin_unlock_irqrestore(&c->irq_lock, flags);
	return s;
}

static irqreturn_t chip_thread(int irq, void *arg)
{
	struct chip *c = arg;
	struct sk_buff *skb = NULL;
	u8 status = chip_take_status(c);
	unsigned n;

	mutex_lock(&c->lock);
	if (status & STATUS_FAULT) {
		c->fault = -EIO; // RACE! if RACY
		schedule_work(&c->recovery);
	} else if (c->state != CHIP_OFF && !c->fault) { // NORACE
		n = chip_read_frame(c);
		if (n)
			skb = alloc_skb(n, GFP_KERNEL);
		if (skb)
			skb_put_data(skb, c->frame, n);
	}
	iowrite32(1, c->regs + REG_IRQ_ACK);
	mutex_unlock(&c->lock);
	if (skb)
		nfc_hci_recv_frame(c->hdev, skb);
	return IRQ_HANDLED;
}

static void chip_recover(struct work_struct *w)
{
	struct chip *c = container_of(w, struct chip, recovery);

#ifdef RACY
	if (!c->fault) // RACE!
		return;
#endif
	mutex_lock(&c->lock);
	if (c->fault && c->state != CHIP_OFF && c->state != CHIP_DEAD) { // NORACE
		c->fault = 0; // NORACE
		chip_power(c, 0);
		chip_power(c, 1);
		if (chip_wait_ready(c) == 0)
			c->state = CHIP_IDLE; // RACE! if RACY
		else if (++c->tries == FAULTS_MAX)
			c->state = CHIP_DEAD; // RACE! if RACY
		c->counts.recoveries++; // NORACE
	}
	mutex_unlock(&c->lock);
}

static int chip_open(struct nfc_hci_dev *hdev)
{
	struct chip *c = nfc_hci_get_clientdata(hdev);

	return c->phy->enable(c);
}

static void chip_close(struct nfc_hci_dev *hdev)
{
	struct chip *c = nfc_hci_get_clientdata(hdev);

	c->phy->disable(c);
}

static int chip_xmit(struct nfc_hci_dev *hdev, struct sk_buff *skb)
{
	struct chip *c = nfc_hci_get_clientdata(hdev);

	return c->phy->write(c, skb);
}

static int chip_start_poll(struct nfc_hci_dev *hdev, u32 im, u32 tm)
{
	struct chip *c = nfc_hci_get_clientdata(hdev);
	int err = 0;

	mutex_lock(&c->lock);
	if (c->fault) { // NORACE
		err = c->fault;
	} else if (c->state != CHIP_IDLE) {
		err = -EBUSY;
	} else {
		c->protocols = im; // NORACE
		c->state = CHIP_POLLING; // NORACE
		iowrite32(im, c->regs + REG_POLL);
	}
	mutex_unlock(&c->lock);
	return err;
}

static int chip_event(struct nfc_hci_dev *hdev, u8 pipe, u8 event, struct sk_buff *skb)
{
	struct chip *c = nfc_hci_get_clientdata(hdev);
	struct nfc_target target = { 0 };
	int found = 0;

	if (event != EVENT_TARGET)
		return 1;
	mutex_lock(&c->lock);
	if (c->state == CHIP_POLLING && (c->protocols & NFC_PROTO_ISO14443_MASK)) { // NORACE
		c->state = CHIP_TARGET; // RACE! if RACY
		target.idx = pipe;
		found = 1;
	}
	mutex_unlock(&c->lock);
	if (found)
		nfc_targets_found(hdev->ndev, &target, 1);
	return 0;
}

static int chip_check_presence(struct nfc_hci_dev *hdev, struct nfc_target *target)
{
	struct chip *c = nfc_hci_get_clientdata(hdev);
#ifndef RACY
	int present;
#endif

#ifdef RACY
	return c->state == CHIP_TARGET; // RACE!
#else
	mutex_lock(&c->lock);
	present = c->state == CHIP_TARGET; // NORACE
	mutex_unlock(&c->lock);
	return present;
#endif
}

static struct nfc_hci_ops chip_hci_ops = {
	.open = chip_open,
	.close = chip_close,
	.xmit = chip_xmit,
	.start_poll = chip_start_poll,
	.event_received = chip_event,
	.check_presence = chip_check_presence,
};

static ssize_t counts_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct chip *c = the_chip;
	struct chip_counts k;
	unsigned long flags;
	u32 irqs;

	mutex_lock(&c->lock);
	k.sent = c->counts.sent; // NORACE
	k.received = c->counts.received;
	k.malformed = c->counts.malformed; // NORACE
	k.recoveries = c->counts.recoveries; // NORACE
	mutex_unlock(&c->lock);
	spin_lock_irqsave(&c->irq_lock, flags);
	irqs = c->irqs; // NORACE
	spin_unlock_irqrestore(&c->irq_lock, flags);
	return sprintf(buf, "%u %u %u %u %u\n", k.sent, k.received, k.malformed, k.recoveries, irqs);
}

static DEVICE_ATTR(counts, 0444, counts_show, NULL);

static int chip_probe(struct platform_device *pdev)
{
	struct nfc_hci_init_data init = { .gate_count = 1 };
	struct chip *c = devm_kzalloc(&pdev->dev, sizeof(*c), GFP_KERNEL);
	int err = -ENOMEM;

	if (!c)
		return -ENOMEM;
	mutex_init(&c->lock);
	spin_lock_init(&c->irq_lock);
	INIT_WORK(&c->recovery, chip_recover);
	c->phy = &chip_phy_ops;
	c->irq = platform_get_irq(pdev, 0);
	c->regs = ioremap(pdev->resource->start, 0x100);
	if (!c->regs)
		return -ENOMEM;
	c->hdev = nfc_hci_allocate_device(&chip_hci_ops, &init, 0, NFC_PROTO_ISO14443_MASK, "shdlc", 1, 0, FRAME_MAX);
	if (!c->hdev)
		goto unmap;
	nfc_hci_set_clientdata(c->hdev, c);
	platform_set_drvdata(pdev, c);
	the_chip = c;
	err = request_threaded_irq(c->irq, chip_irq, chip_thread, IRQF_ONESHOT, "nfc", c);
	if (err)
		goto free_hci;
	err = nfc_hci_register_device(c->hdev);
	if (err)
		goto irq;
	err = device_create_file(&pdev->dev, &dev_attr_counts);
	if (!err)
		return 0;
	nfc_hci_unregister_device(c->hdev);
irq:
	free_irq(c->irq, c);
	cancel_work_sync(&c->recovery);
free_hci:
	nfc_hci_free_device(c->hdev);
unmap:
	iounmap(c->regs);
	return err;
}

static int chip_remove(struct platform_device *pdev)
{
	struct chip *c = platform_get_drvdata(pdev);

	device_remove_file(&pdev->dev, &dev_attr_counts);
	nfc_hci_unregister_device(c->hdev);
	free_irq(c->irq, c);
	cancel_work_sync(&c->recovery);
	nfc_hci_free_device(c->hdev);
	iounmap(c->regs);
	return 0;
}

static struct platform_driver chip_driver = {
	.probe = chip_probe,
	.remove = chip_remove,
	.driver = { .name = "nfc-fifo" },
};

static int __init chip_init(void)
{
	return platform_driver_register(&chip_driver);
}

static void __exit chip_exit(void)
{
	platform_driver_unregister(&chip_driver);
}

module_init(chip_init)
module_exit(chip_exit)
MODULE_LICENSE("GPL");
