/* Numbers for objects. */
#ifndef _WHOOP_LINUX_IDR_H
#define _WHOOP_LINUX_IDR_H
#include <linux/kernel.h>
struct idr { unsigned int idr_base, idr_next; };
#define DEFINE_IDR(n) struct idr n = { 0, 0 }
void idr_init(struct idr *r);
int idr_alloc(struct idr *r, void *p, int from, int to, gfp_t g);
void *idr_find(const struct idr *r, unsigned long id);
void *idr_remove(struct idr *r, unsigned long id);
void idr_destroy(struct idr *r);
#endif
