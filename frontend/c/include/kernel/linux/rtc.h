/* Real-time clocks. */
#ifndef _WHOOP_LINUX_RTC_H
#define _WHOOP_LINUX_RTC_H
#include <linux/kernel.h>
struct rtc_time { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday; };
struct rtc_wkalrm { unsigned char enabled, pending; struct rtc_time time; };
struct rtc_class_ops {
	int (*ioctl)(struct device *, unsigned int, unsigned long);
	int (*read_time)(struct device *, struct rtc_time *);
	int (*set_time)(struct device *, struct rtc_time *);
	int (*read_alarm)(struct device *, struct rtc_wkalrm *);
	int (*set_alarm)(struct device *, struct rtc_wkalrm *);
	int (*alarm_irq_enable)(struct device *, unsigned int);
};
struct rtc_device { struct device dev; const struct rtc_class_ops *ops; };
struct rtc_device *rtc_device_register(const char *name, struct device *d, const struct rtc_class_ops *o, struct module *m);
struct rtc_device *devm_rtc_device_register(struct device *d, const char *name, const struct rtc_class_ops *o, struct module *m);
void rtc_device_unregister(struct rtc_device *r);
void rtc_update_irq(struct rtc_device *r, unsigned long n, unsigned long events);
#define RTC_AF 0x20
#define RTC_IRQF 0x80
#endif
