/* A clock chip behind ports: index and data register make every access two steps, under a spinlock; the alarm's settings are
 * under a mutex, the handler only touches what the spinlock protects.
 *
 * With RACY: A clock chip behind ports: the alarm's enable flag is changed under the mutex but looked at by the handler
 * under the spinlock. */
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/rtc.h>
#include <linux/spinlock.h>
#include <linux/device.h>

#define INDEX 0x70
#define DATA 0x71
#define REG_SEC 0
#define REG_MIN 2
#define REG_HOUR 4
#define REG_DAY 7
#define REG_MON 8
#define REG_YEAR 9
#define REG_CTRL 11
#define REG_FLAGS 12
#define CTRL_AIE 0x20

struct clock {
	spinlock_t lock;
	struct mutex alarm_lock;
	unsigned char ctrl;
	int alarm_on;
	u32 alarms, spurious;
	struct rtc_time alarm;
	int century;
	struct rtc_device *rtc;
};

static struct clock clk;

/* Register access; the caller holds clk.lock. */
static unsigned char clk_read(unsigned char reg)
{
	outb(reg, INDEX);
	return inb(DATA);
}

static void clk_write(unsigned char v, unsigned char reg)
{
	outb(reg, INDEX);
	outb(v, DATA);
}

static void set_ctrl(unsigned char set, unsigned char clear)
{
	clk.ctrl = (clk.ctrl | set) & ~clear; // NORACE
	clk_write(clk.ctrl, REG_CTRL);
}

static irqreturn_t clk_irq(int irq, void *arg)
{
	unsigned char flags;
	int on;

	spin_lock(&clk.lock);
	flags = clk_read(REG_FLAGS);
	if (!(flags & 0xf0)) {
		clk.spurious++; // NORACE
		spin_unlock(&clk.lock);
		return IRQ_NONE;
	}
	on = clk.alarm_on; // RACE! if RACY
	if (on)
		clk.alarms++; // NORACE
	set_ctrl(0, on ? CTRL_AIE : 0);
	clk.alarm_on = 0; // RACE! if RACY
	spin_unlock(&clk.lock);
	if (on)
		rtc_update_irq(NULL, 1, RTC_AF | RTC_IRQF);
	return IRQ_HANDLED;
}

static int from_bcd(unsigned char v) { return (v & 15) + (v >> 4) * 10; }
static unsigned char to_bcd(int v) { return (v / 10) << 4 | (v % 10); }

static int clk_read_time(struct device *dev, struct rtc_time *tm)
{
	unsigned long flags;

	spin_lock_irqsave(&clk.lock, flags);
	tm->tm_sec = from_bcd(clk_read(REG_SEC));
	tm->tm_min = from_bcd(clk_read(REG_MIN));
	tm->tm_hour = from_bcd(clk_read(REG_HOUR));
	tm->tm_mday = from_bcd(clk_read(REG_DAY));
	tm->tm_mon = from_bcd(clk_read(REG_MON)) - 1;
	tm->tm_year = from_bcd(clk_read(REG_YEAR)) + clk.century * 100; // NORACE
	spin_unlock_irqrestore(&clk.lock, flags);
	return tm->tm_mon < 0 || tm->tm_mon > 11 ? -EINVAL : 0;
}

static int clk_set_time(struct device *dev, struct rtc_time *tm)
{
	unsigned long flags;

	if (tm->tm_year < 0 || tm->tm_year > 199)
		return -EINVAL;
	spin_lock_irqsave(&clk.lock, flags);
	set_ctrl(0x80, 0);
	clk_write(to_bcd(tm->tm_sec), REG_SEC);
	clk_write(to_bcd(tm->tm_min), REG_MIN);
	clk_write(to_bcd(tm->tm_hour), REG_HOUR);
	clk_write(to_bcd(tm->tm_mday), REG_DAY);
	clk_write(to_bcd(tm->tm_mon + 1), REG_MON);
	clk_write(to_bcd(tm->tm_year % 100), REG_YEAR);
	clk.century = tm->tm_year / 100; // NORACE
	set_ctrl(0, 0x80);
	spin_unlock_irqrestore(&clk.lock, flags);
	return 0;
}

static void switch_alarm(int on)
{
	unsigned long flags;

#ifdef RACY
	clk.alarm_on = on; // RACE!
#endif
	spin_lock_irqsave(&clk.lock, flags);
#ifndef RACY
	clk.alarm_on = on; // NORACE
#endif
	set_ctrl(on ? CTRL_AIE : 0, on ? 0 : CTRL_AIE);
	spin_unlock_irqrestore(&clk.lock, flags);
}

static int clk_read_alarm(struct device *dev, struct rtc_wkalrm *a)
{
	unsigned long flags;

	mutex_lock(&clk.alarm_lock);
	a->time = clk.alarm; // NORACE
	spin_lock_irqsave(&clk.lock, flags);
	a->enabled = clk.alarm_on; // NORACE
	spin_unlock_irqrestore(&clk.lock, flags);
	mutex_unlock(&clk.alarm_lock);
	return 0;
}

static int clk_set_alarm(struct device *dev, struct rtc_wkalrm *a)
{
	unsigned long flags;

	mutex_lock(&clk.alarm_lock);
	clk.alarm = a->time; // NORACE
	spin_lock_irqsave(&clk.lock, flags);
	clk_write(to_bcd(a->time.tm_sec), REG_SEC + 1);
	clk_write(to_bcd(a->time.tm_min), REG_MIN + 1);
	clk_write(to_bcd(a->time.tm_hour), REG_HOUR + 1);
	spin_unlock_irqrestore(&clk.lock, flags);
	switch_alarm(a->enabled);
	mutex_unlock(&clk.alarm_lock);
	return 0;
}

static int clk_alarm_irq_enable(struct device *dev, unsigned int on)
{
	mutex_lock(&clk.alarm_lock);
	switch_alarm(on);
	mutex_unlock(&clk.alarm_lock);
	return 0;
}

static ssize_t alarms_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	unsigned long flags;
	u32 n, s;

	spin_lock_irqsave(&clk.lock, flags);
	n = clk.alarms; // NORACE
	s = clk.spurious; // NORACE
	spin_unlock_irqrestore(&clk.lock, flags);
	return sprintf(buf, "%u %u\n", n, s);
}

static ssize_t alarms_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	unsigned long flags;

	spin_lock_irqsave(&clk.lock, flags);
	clk.alarms = 0; // NORACE
	clk.spurious = 0; // NORACE
	spin_unlock_irqrestore(&clk.lock, flags);
	return n;
}

static DEVICE_ATTR(alarms, 0644, alarms_show, alarms_store);

static const struct rtc_class_ops clk_ops = {
	.read_time = clk_read_time,
	.set_time = clk_set_time,
	.read_alarm = clk_read_alarm,
	.set_alarm = clk_set_alarm,
	.alarm_irq_enable = clk_alarm_irq_enable,
};

static int clk_probe(struct platform_device *pdev)
{
	int err;

	spin_lock_init(&clk.lock);
	mutex_init(&clk.alarm_lock);
	clk.century = 1;
	clk.ctrl = 2;
	err = request_irq(8, clk_irq, 0, "clock", &clk);
	if (err)
		return err;
	device_create_file(&pdev->dev, &dev_attr_alarms);
	rtc_device_register("clock", &pdev->dev, &clk_ops, THIS_MODULE);
	return 0;
}

static int clk_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_alarms);
	free_irq(8, &clk);
	return 0;
}

static struct platform_driver clk_driver = {
	.probe = clk_probe,
	.remove = clk_remove,
	.driver = { .name = "clock" },
};

static int __init clk_init(void) { return platform_driver_register(&clk_driver); }
static void __exit clk_exit(void) { platform_driver_unregister(&clk_driver); }
module_init(clk_init)
module_exit(clk_exit)
MODULE_LICENSE("GPL");
