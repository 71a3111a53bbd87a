/* Reference counts that call a function when the last reference goes. */
#ifndef _WHOOP_LINUX_KREF_H
#define _WHOOP_LINUX_KREF_H
#include <linux/kernel.h>
struct kref { refcount_t refcount; };
void refcount_set(refcount_t *r, int n);
void refcount_inc(refcount_t *r);
bool refcount_dec_and_test(refcount_t *r);
#define kref_init(k) refcount_set(&(k)->refcount, 1)
#define kref_get(k) refcount_inc(&(k)->refcount)
/* A macro, so that it is known which function is called. */
#define kref_put(k, release) ({ struct kref *__k = (k); int __last = refcount_dec_and_test(&__k->refcount); if (__last) release(__k); __last; })
#endif
