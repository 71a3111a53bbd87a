#include <linux/netdevice.h>
