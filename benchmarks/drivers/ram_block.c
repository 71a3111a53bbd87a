/* A RAM disk: requests wait in a ring that a work item empties; the ring and the counters are under a spinlock, the medium
 * under a read-write semaphore, the settings under a mutex.
 *
 * With RACY: A RAM disk: a resize writes the size under the read side of the semaphore, and the work counts errors after the
 * unlock. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/genhd.h>
#include <linux/blkdev.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#include <linux/vmalloc.h>

#define SECTOR 512
#define DISK_SECTORS 128
#define PENDING 16
#define CMD_STATS 1
#define CMD_RESIZE 2
#define CMD_ERASE 3
#define CMD_READONLY 4

struct io {
	int write;
	unsigned sector;
	char data[SECTOR];
};

struct disk {
	spinlock_t lock;
	struct io pending[PENDING];
	unsigned head, count;
	u32 queued, finished, failed;
	struct rw_semaphore medium;
	unsigned char *store;
	unsigned sectors;
	struct mutex settings;
	int read_only;
	int open_count;
	struct work_struct work;
	struct gendisk *gd;
};

static struct disk disk;

struct disk_stats { u32 queued, finished, failed, sectors; };

static int transfer(struct disk *d, struct io *io)
{
	int ok = 0;

	if (io->write) {
		down_write(&d->medium);
		if (io->sector < d->sectors) { // NORACE
			memcpy(d->store + io->sector * SECTOR, io->data, SECTOR); // NORACE
			ok = 1;
		}
		up_write(&d->medium);
	} else {
		down_read(&d->medium);
		if (io->sector < d->sectors) { // RACE! if RACY
			memcpy(io->data, d->store + io->sector * SECTOR, SECTOR); // NORACE
			ok = 1;
		}
		up_read(&d->medium);
	}
	return ok;
}

static int next_io(struct disk *d, struct io *io)
{
	int got = 0;

	spin_lock(&d->lock);
	if (d->count > 0) {
		*io = d->pending[d->head]; // NORACE
		d->head = (d->head + 1) % PENDING;
		d->count--; // NORACE
		got = 1;
	}
	spin_unlock(&d->lock);
	return got;
}

static void disk_work(struct work_struct *w)
{
	struct disk *d = &disk;
	struct io io;
	int ok;

	while (next_io(d, &io)) {
		ok = transfer(d, &io);
		spin_lock(&d->lock);
		d->finished++; // NORACE
#ifdef RACY
		spin_unlock(&d->lock);
#endif
		if (!ok)
			d->failed++; // RACE! if RACY
#ifndef RACY
		spin_unlock(&d->lock);
#endif
	}
}

static int disk_queue(struct disk *d, int write, unsigned sector)
{
	struct io *io;

	spin_lock(&d->lock);
	if (d->count == PENDING) {
		spin_unlock(&d->lock);
		return -EBUSY;
	}
	io = &d->pending[(d->head + d->count) % PENDING];
	io->write = write; // NORACE
	io->sector = sector; // NORACE
	d->count++; // NORACE
	d->queued++; // NORACE
	spin_unlock(&d->lock);
	schedule_work(&d->work);
	return 0;
}

static int disk_open(struct block_device *bdev, fmode_t mode)
{
	struct disk *d = &disk;
	int err = 0;

	mutex_lock(&d->settings);
	if (d->read_only && (mode & FMODE_WRITE)) // NORACE
		err = -EPERM;
	else
		d->open_count++; // NORACE
	mutex_unlock(&d->settings);
	return err;
}

static void disk_release(struct gendisk *gd, fmode_t mode)
{
	struct disk *d = &disk;

	mutex_lock(&d->settings);
	d->open_count--; // NORACE
	mutex_unlock(&d->settings);
}

static int disk_getgeo(struct block_device *bdev, struct hd_geometry *geo)
{
	struct disk *d = &disk;

	down_read(&d->medium);
	geo->cylinders = d->sectors / 64; // RACE! if RACY
	up_read(&d->medium);
	geo->heads = 4;
	geo->sectors = 16;
	return 0;
}

static int get_stats(struct disk *d, unsigned long arg)
{
	struct disk_stats s;

	spin_lock(&d->lock);
	s.queued = d->queued; // NORACE
	s.finished = d->finished; // NORACE
	s.failed = d->failed; // RACE! if RACY
	spin_unlock(&d->lock);
	down_read(&d->medium);
	s.sectors = d->sectors; // RACE! if RACY
	up_read(&d->medium);
	return copy_to_user((void __user *)arg, &s, sizeof(s)) ? -EFAULT : 0;
}

static int resize(struct disk *d, unsigned long n)
{
	if (n == 0 || n > DISK_SECTORS)
		return -EINVAL;
#ifdef RACY
	down_read(&d->medium);
#else
	down_write(&d->medium);
#endif
	d->sectors = n; // RACE! if RACY
#ifdef RACY
	up_read(&d->medium);
#else
	up_write(&d->medium);
#endif
	return 0;
}

static int erase(struct disk *d)
{
	int busy;

	mutex_lock(&d->settings);
	busy = d->open_count > 1; // NORACE
	mutex_unlock(&d->settings);
	if (busy)
		return -EBUSY;
	down_write(&d->medium);
	memset(d->store, 0, d->sectors * SECTOR); // NORACE
	up_write(&d->medium);
	return 0;
}

static int disk_ioctl(struct block_device *bdev, fmode_t mode, unsigned cmd, unsigned long arg)
{
	struct disk *d = &disk;

	switch (cmd) {
	case CMD_STATS:
		return get_stats(d, arg);
	case CMD_RESIZE:
		return resize(d, arg);
	case CMD_ERASE:
		return erase(d);
	case CMD_READONLY:
		mutex_lock(&d->settings);
		d->read_only = !!arg; // NORACE
		mutex_unlock(&d->settings);
		return 0;
	}
	return -ENOTTY;
}

static const struct block_device_operations disk_ops = {
	.owner = THIS_MODULE,
	.open = disk_open,
	.release = disk_release,
	.ioctl = disk_ioctl,
	.getgeo = disk_getgeo,
};

static ssize_t raw_write(struct file *f, const char __user *buf, size_t n, loff_t *pos)
{
	unsigned sector;

	if (copy_from_user(&sector, buf, sizeof(sector)))
		return -EFAULT;
	return disk_queue(&disk, n > 4, sector) ? -EBUSY : n;
}

static const struct file_operations raw_fops = { .owner = THIS_MODULE, .write = raw_write };
static struct miscdevice raw_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "ramraw", .fops = &raw_fops };

static int __init disk_init(void)
{
	int major;

	spin_lock_init(&disk.lock);
	init_rwsem(&disk.medium);
	mutex_init(&disk.settings);
	INIT_WORK(&disk.work, disk_work);
	disk.sectors = DISK_SECTORS;
	disk.store = vzalloc(DISK_SECTORS * SECTOR);
	if (!disk.store)
		return -ENOMEM;
	major = register_blkdev(0, "ram");
	disk.gd = alloc_disk(1);
	if (major < 0 || !disk.gd) {
		vfree(disk.store);
		return -ENOMEM;
	}
	disk.gd->major = major;
	disk.gd->fops = &disk_ops;
	set_capacity(disk.gd, DISK_SECTORS);
	add_disk(disk.gd);
	return misc_register(&raw_misc);
}

static void __exit disk_exit(void)
{
	misc_deregister(&raw_misc);
	del_gendisk(disk.gd);
	cancel_work_sync(&disk.work);
	put_disk(disk.gd);
	vfree(disk.store);
}

module_init(disk_init)
module_exit(disk_exit)
MODULE_LICENSE("GPL");
