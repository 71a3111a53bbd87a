/* Block devices, by requests taken from a queue under its lock. */
#ifndef _WHOOP_LINUX_BLKDEV_H
#define _WHOOP_LINUX_BLKDEV_H
#include <linux/kernel.h>
struct gendisk;
struct request_queue { void *queuedata; spinlock_t *queue_lock; };
struct request { struct request_queue *q; sector_t __sector; unsigned int __data_len; int cmd_flags; char *buffer; };
struct block_device { struct gendisk *bd_disk; };
struct hd_geometry { unsigned char heads, sectors; unsigned short cylinders; unsigned long start; };
struct block_device_operations {
	int (*open)(struct block_device *, fmode_t);
	void (*release)(struct gendisk *, fmode_t);
	int (*ioctl)(struct block_device *, fmode_t, unsigned, unsigned long);
	unsigned int (*check_events)(struct gendisk *, unsigned int);
	int (*revalidate_disk)(struct gendisk *);
	int (*getgeo)(struct block_device *, struct hd_geometry *);
	struct module *owner;
};
struct gendisk { int major, first_minor, minors; char disk_name[32]; const struct block_device_operations *fops; struct request_queue *queue; void *private_data; };
struct gendisk *alloc_disk(int minors);
void put_disk(struct gendisk *d);
void add_disk(struct gendisk *d);
void del_gendisk(struct gendisk *d);
void set_capacity(struct gendisk *d, sector_t n);
int register_blkdev(unsigned int major, const char *name);
void unregister_blkdev(unsigned int major, const char *name);
#endif
