/* A RAM disk with several submission queues. A spin lock protects the medium, its state and the statistics; a mutex
 * serialises the changes of the settings. A timer ages the load that the statistics show.
 *
 * With RACY: A RAM disk with several submission queues, a spin lock for its state and a mutex for its settings. The geometry
 * is computed from a size that may be changing, a change of the medium is noticed without the lock, and the mutex does not
 * stop the timer. */
#include <linux/module.h>
#include <linux/blkdev.h>
#include <linux/blk-mq.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/jiffies.h>
#include <linux/uaccess.h>

#define SECTOR_SHIFT 9
#define SECTOR_SIZE (1u << SECTOR_SHIFT)
#define SECTORS 2048u
#define MEDIUM_SIZE (SECTORS << SECTOR_SHIFT)
#define HEADS 4
#define PER_TRACK 32
#define DISK_EVENT_MEDIA_CHANGE 1

#define RAMDISK_STATS _IOR('R', 1, struct ramdisk_stats)
#define RAMDISK_PROTECT _IOW('R', 2, int)
#define RAMDISK_ERASE _IO('R', 3)
#define RAMDISK_EJECT _IO('R', 4)
#define RAMDISK_PERIOD _IOW('R', 5, unsigned)
#define RAMDISK_RESIZE _IOW('R', 6, unsigned)

struct ramdisk_stats {
	u32 reads, writes, errors, load;
};

struct ramdisk {
	spinlock_t lock;
	struct mutex settings;
	sector_t sectors;	/* what is in use */
	int protect, changed, present;
	struct ramdisk_stats stats;
	unsigned users;		/* opened so often; settings */
	unsigned period;	/* milliseconds between two agings; settings */
	int stopping;
	unsigned next_period;
	struct timer_list aging;
	struct blk_mq_tag_set tags;
	struct request_queue *queue;
	struct gendisk *disk;
	u8 medium[MEDIUM_SIZE];
};

static int ramdisk_major;
static struct ramdisk *ramdisk;

/* Called with the lock held. */
static int ramdisk_fits(struct ramdisk *r, sector_t at, unsigned bytes)
{
	sector_t n = bytes >> SECTOR_SHIFT;

	if (!r->present || (bytes & (SECTOR_SIZE - 1)))
		return 0;
	return at < r->sectors && n <= r->sectors - at; // NORACE
}

/* Called with the lock held. */
static blk_status_t ramdisk_transfer(struct ramdisk *r, struct request *rq)
{
	sector_t at = blk_rq_pos(rq);
	unsigned bytes = blk_rq_bytes(rq);
	u8 *place;

	if (!ramdisk_fits(r, at, bytes)) {
		r->stats.errors++; // NORACE
		return BLK_STS_IOERR;
	}
	place = r->medium + (at << SECTOR_SHIFT);
	if (rq_data_dir(rq) == WRITE) {
		if (r->protect) { // NORACE
			r->stats.errors++; // NORACE
			return BLK_STS_IOERR;
		}
		memcpy(place, rq->buffer, bytes); // NORACE
		r->stats.writes++; // NORACE
	} else {
		memcpy(rq->buffer, place, bytes);
		r->stats.reads++; // NORACE
	}
	r->stats.load += bytes >> SECTOR_SHIFT;
	return BLK_STS_OK;
}

static blk_status_t ramdisk_queue_rq(struct blk_mq_hw_ctx *hctx, const struct blk_mq_queue_data *bd)
{
	struct ramdisk *r = ramdisk;
	unsigned long flags;
	blk_status_t s;

	blk_mq_start_request(bd->rq);
	spin_lock_irqsave(&r->lock, flags);
	s = ramdisk_transfer(r, bd->rq);
	spin_unlock_irqrestore(&r->lock, flags);
	blk_mq_end_request(bd->rq, s);
	return BLK_STS_OK;
}

static const struct blk_mq_ops ramdisk_mq_ops = {
	.queue_rq = ramdisk_queue_rq,
};

static void ramdisk_age(struct timer_list *t)
{
	struct ramdisk *r = from_timer(r, t, aging);
	unsigned long flags;

	spin_lock_irqsave(&r->lock, flags);
	r->stats.load /= 2; // NORACE
	if (!r->stopping)
		mod_timer(&r->aging, jiffies + msecs_to_jiffies(r->next_period)); // RACE! if RACY
	spin_unlock_irqrestore(&r->lock, flags);
}

static int ramdisk_open(struct block_device *bdev, fmode_t mode)
{
	struct ramdisk *r = bdev->bd_disk->private_data;
	unsigned long flags;
	int err = 0;

	mutex_lock(&r->settings);
	spin_lock_irqsave(&r->lock, flags);
	if (!r->present)
		err = -ENXIO;
	else if (r->protect && (mode & FMODE_WRITE)) // NORACE
		err = -EPERM;
	spin_unlock_irqrestore(&r->lock, flags);
	if (!err)
		r->users++; // NORACE
	mutex_unlock(&r->settings);
	return err;
}

static void ramdisk_release(struct gendisk *disk, fmode_t mode)
{
	struct ramdisk *r = disk->private_data;

	mutex_lock(&r->settings);
	r->users--; // NORACE
	mutex_unlock(&r->settings);
}

static void ramdisk_read_stats(struct ramdisk *r, struct ramdisk_stats *s)
{
	unsigned long flags;

	spin_lock_irqsave(&r->lock, flags);
	s->reads = r->stats.reads; // NORACE
	s->writes = r->stats.writes; // NORACE
	s->errors = r->stats.errors; // NORACE
	s->load = r->stats.load; // NORACE
	spin_unlock_irqrestore(&r->lock, flags);
}

/* Called with the settings' mutex held, as are the next ones. */
static int ramdisk_protect(struct ramdisk *r, int on)
{
	unsigned long flags;

	if (on && r->users > 1) // NORACE
		return -EBUSY;
	spin_lock_irqsave(&r->lock, flags);
	r->protect = on; // NORACE
	spin_unlock_irqrestore(&r->lock, flags);
	return 0;
}

static int ramdisk_erase(struct ramdisk *r)
{
	unsigned long flags;
	int err = 0;

	spin_lock_irqsave(&r->lock, flags);
	if (r->protect) // NORACE
		err = -EPERM;
	else
		memset(r->medium, 0, MEDIUM_SIZE); // NORACE
	spin_unlock_irqrestore(&r->lock, flags);
	return err;
}

static int ramdisk_eject(struct ramdisk *r)
{
	unsigned long flags;

	if (r->users > 1) // NORACE
		return -EBUSY;
	spin_lock_irqsave(&r->lock, flags);
	r->present = !r->present; // NORACE
	r->changed = 1; // RACE! if RACY
	spin_unlock_irqrestore(&r->lock, flags);
	return 0;
}

static int ramdisk_set_period(struct ramdisk *r, unsigned ms)
{
#ifndef RACY
	unsigned long flags;

#endif
	if (ms < 10 || ms > 10000)
		return -EINVAL;
	r->period = ms; // NORACE
#ifndef RACY
	spin_lock_irqsave(&r->lock, flags);
#endif
	r->next_period = ms; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&r->lock, flags);
#endif
	return 0;
}

static int ramdisk_resize(struct ramdisk *r, unsigned long sectors)
{
	unsigned long flags;

	if (sectors == 0 || sectors > SECTORS)
		return -EINVAL;
	if (r->users > 1) // NORACE
		return -EBUSY;
	spin_lock_irqsave(&r->lock, flags);
	r->sectors = sectors; // RACE! if RACY
	r->changed = 1; // RACE! if RACY
	spin_unlock_irqrestore(&r->lock, flags);
	set_capacity(r->disk, sectors);
	return 0;
}

static int ramdisk_ioctl(struct block_device *bdev, fmode_t mode, unsigned cmd, unsigned long arg)
{
	struct ramdisk *r = bdev->bd_disk->private_data;
	struct ramdisk_stats s;
	int err = -ENOTTY;

	if (cmd == RAMDISK_STATS) {
		ramdisk_read_stats(r, &s);
		return copy_to_user((void __user *)arg, &s, sizeof(s)) ? -EFAULT : 0;
	}
	mutex_lock(&r->settings);
	switch (cmd) {
	case RAMDISK_PROTECT:
		err = ramdisk_protect(r, !!arg);
		break;
	case RAMDISK_ERASE:
		err = ramdisk_erase(r);
		break;
	case RAMDISK_EJECT:
		err = ramdisk_eject(r);
		break;
	case RAMDISK_RESIZE:
		err = ramdisk_resize(r, arg);
		break;
	case RAMDISK_PERIOD:
		err = ramdisk_set_period(r, arg);
		break;
	}
	mutex_unlock(&r->settings);
	return err;
}

static unsigned int ramdisk_check_events(struct gendisk *disk, unsigned int clearing)
{
	struct ramdisk *r = disk->private_data;
#ifndef RACY
	unsigned long flags;
#endif
	int changed;

#ifndef RACY
	spin_lock_irqsave(&r->lock, flags);
#endif
	changed = r->changed; // RACE! if RACY
	r->changed = 0; // RACE! if RACY
#ifndef RACY
	spin_unlock_irqrestore(&r->lock, flags);
#endif
	return changed ? DISK_EVENT_MEDIA_CHANGE : 0;
}

static int ramdisk_getgeo(struct block_device *bdev, struct hd_geometry *geo)
{
	struct ramdisk *r = bdev->bd_disk->private_data;
#ifndef RACY
	unsigned long flags;
	sector_t sectors;
#endif

#ifndef RACY
	spin_lock_irqsave(&r->lock, flags);
	sectors = r->sectors; // NORACE
	spin_unlock_irqrestore(&r->lock, flags);
#endif
	geo->heads = HEADS;
	geo->sectors = PER_TRACK;
#ifdef RACY
	geo->cylinders = r->sectors / (HEADS * PER_TRACK); // RACE!
#else
	geo->cylinders = sectors / (HEADS * PER_TRACK);
#endif
	geo->start = 0;
	return 0;
}

static const struct block_device_operations ramdisk_ops = {
	.owner = THIS_MODULE,
	.open = ramdisk_open,
	.release = ramdisk_release,
	.ioctl = ramdisk_ioctl,
	.check_events = ramdisk_check_events,
	.getgeo = ramdisk_getgeo,
};

static int __init ramdisk_alloc(struct ramdisk *r)
{
	r->tags.ops = &ramdisk_mq_ops;
	r->tags.nr_hw_queues = 2;
	r->tags.queue_depth = 64;
	r->tags.flags = BLK_MQ_F_SHOULD_MERGE;
	if (blk_mq_alloc_tag_set(&r->tags))
		return -ENOMEM;
	r->queue = blk_mq_init_queue(&r->tags);
	if (IS_ERR_OR_NULL(r->queue))
		goto no_queue;
	r->disk = alloc_disk(16);
	if (r->disk)
		return 0;
	blk_cleanup_queue(r->queue);
no_queue:
	blk_mq_free_tag_set(&r->tags);
	return -ENOMEM;
}

static int __init ramdisk_init(void)
{
	struct ramdisk *r;
	int err;

	ramdisk_major = register_blkdev(0, "ramdisk");
	if (ramdisk_major < 0)
		return ramdisk_major;
	r = vzalloc(sizeof(*r));
	err = -ENOMEM;
	if (!r)
		goto unregister;
	r->sectors = SECTORS;
	r->present = 1;
	r->period = 1000;
	r->next_period = 1000;
	spin_lock_init(&r->lock);
	mutex_init(&r->settings);
	timer_setup(&r->aging, ramdisk_age, 0);
	err = ramdisk_alloc(r);
	if (err)
		goto free;
	r->disk->major = ramdisk_major;
	r->disk->fops = &ramdisk_ops;
	r->disk->queue = r->queue;
	r->disk->private_data = r;
	set_capacity(r->disk, r->sectors);
	ramdisk = r;
	mod_timer(&r->aging, jiffies + HZ);
	add_disk(r->disk);
	return 0;
free:
	vfree(r);
unregister:
	unregister_blkdev(ramdisk_major, "ramdisk");
	return err;
}

static void __exit ramdisk_exit(void)
{
	struct ramdisk *r = ramdisk;
	unsigned long flags;

	del_gendisk(r->disk);
	spin_lock_irqsave(&r->lock, flags);
	r->stopping = 1; // NORACE
	spin_unlock_irqrestore(&r->lock, flags);
	del_timer_sync(&r->aging);
	blk_cleanup_queue(r->queue);
	blk_mq_free_tag_set(&r->tags);
	put_disk(r->disk);
	unregister_blkdev(ramdisk_major, "ramdisk");
	vfree(r);
}

module_init(ramdisk_init)
module_exit(ramdisk_exit)
MODULE_LICENSE("GPL");
