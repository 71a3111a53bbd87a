/* Block devices whose requests come from several hardware queues. */
#ifndef _WHOOP_LINUX_BLK_MQ_H
#define _WHOOP_LINUX_BLK_MQ_H
#include <linux/blkdev.h>
typedef u8 blk_status_t;
#define BLK_STS_OK 0
#define BLK_STS_RESOURCE 9
#define BLK_STS_IOERR 10
#define BLK_MQ_F_SHOULD_MERGE 1
struct blk_mq_hw_ctx { struct request_queue *queue; void *driver_data; };
struct blk_mq_queue_data { struct request *rq; bool last; };
struct blk_mq_ops {
	blk_status_t (*queue_rq)(struct blk_mq_hw_ctx *, const struct blk_mq_queue_data *);
	void (*complete)(struct request *);
	int (*timeout)(struct request *, bool);
};
struct blk_mq_tag_set { const struct blk_mq_ops *ops; unsigned int nr_hw_queues, queue_depth, flags; int numa_node; void *driver_data; };
int blk_mq_alloc_tag_set(struct blk_mq_tag_set *s);
void blk_mq_free_tag_set(struct blk_mq_tag_set *s);
struct request_queue *blk_mq_init_queue(struct blk_mq_tag_set *s);
void blk_cleanup_queue(struct request_queue *q);
void blk_mq_start_request(struct request *r);
void blk_mq_end_request(struct request *r, blk_status_t e);
static inline sector_t blk_rq_pos(const struct request *r) { return r->__sector; }
static inline unsigned int blk_rq_bytes(const struct request *r) { return r->__data_len; }
#define rq_data_dir(r) ((r)->cmd_flags & 1)
#define READ 0
#define WRITE 1
#endif
