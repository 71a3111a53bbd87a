#include <linux/blkdev.h>
