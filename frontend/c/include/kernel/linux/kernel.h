/* The part of the Linux kernel's interface that drivers of moderate size use: types, operation tables, inline accessors.
 * Functions are declared only; the verifier knows them by name. */
#ifndef _WHOOP_LINUX_KERNEL_H
#define _WHOOP_LINUX_KERNEL_H

#define __KERNEL__ 1
typedef signed char s8; typedef unsigned char u8, __u8; typedef short s16; typedef unsigned short u16, __u16, __le16, __be16;
typedef int s32; typedef unsigned int u32, __u32, __le32, __be32; typedef long long s64; typedef unsigned long long u64, __u64, __le64;
typedef unsigned char uint8_t, u_char; typedef unsigned short uint16_t; typedef unsigned int uint32_t, uint; typedef unsigned long long uint64_t;
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef long long int64_t;
typedef unsigned long size_t, ulong, uintptr_t; typedef long ssize_t, ptrdiff_t; typedef long long loff_t; typedef int pid_t;
typedef unsigned int gfp_t, dev_t, fmode_t, netdev_features_t; typedef unsigned short umode_t; typedef unsigned long dma_addr_t, phys_addr_t, resource_size_t, sector_t;
typedef _Bool bool; typedef int netdev_tx_t; typedef int irqreturn_t; typedef unsigned int poll_t; typedef unsigned int __poll_t;
#define true 1
#define false 0
#define NULL ((void *)0)
#define __user
#define __iomem
#define __init
#define __exit
#define __force
#define __must_check
#define __maybe_unused __attribute__((unused))
#define __read_mostly
#define asmlinkage
#define likely(x) (x)
#define unlikely(x) (x)
#define barrier() __sync_synchronize()
#define mb() __sync_synchronize()
#define rmb() __sync_synchronize()
#define wmb() __sync_synchronize()
#define smp_mb() __sync_synchronize()
#define smp_rmb() __sync_synchronize()
#define smp_wmb() __sync_synchronize()
#define offsetof(t, m) __builtin_offsetof(t, m)
#define container_of(p, t, m) ((t *)((char *)(p) - offsetof(t, m)))
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define READ_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min_t(t, a, b) ((t)(a) < (t)(b) ? (t)(a) : (t)(b))
#define max_t(t, a, b) ((t)(a) > (t)(b) ? (t)(a) : (t)(b))
#define clamp(v, lo, hi) min(max(v, lo), hi)
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define BIT(n) (1UL << (n))
void __whoop_bug(void);
#define BUG() __whoop_bug()
#define BUG_ON(c) do { if (c) __whoop_bug(); } while (0)
#define WARN_ON(c) (!!(c))
#define WARN_ON_ONCE(c) (!!(c))
#define WARN(c, ...) (!!(c))
#define WARN_ONCE(c, ...) (!!(c))
#define IS_ENABLED(x) 0
#define PAGE_SIZE 4096UL
#define HZ 250
#define GFP_KERNEL 0xcc0u
#define GFP_ATOMIC 0xa20u
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EAGAIN 11
#define ENOMEM 12
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22
#define ENOTTY 25
#define ENOSPC 28
#define ESPIPE 29
#define ERANGE 34
#define ETIMEDOUT 110
#define EOPNOTSUPP 95
#define ENOIOCTLCMD 515
#define ERESTARTSYS 512
#define EWOULDBLOCK EAGAIN
#define KERN_INFO ""
#define KERN_ERR ""
#define KERN_WARNING ""
#define KERN_DEBUG ""
int printk(const char *fmt, ...);
#define pr_info printk
#define pr_err printk
#define pr_warn printk
#define pr_debug printk
#define pr_warning printk
int snprintf(char *buf, size_t n, const char *fmt, ...);
int sprintf(char *buf, const char *fmt, ...);
int scnprintf(char *buf, size_t n, const char *fmt, ...);
void *memcpy(void *d, const void *s, size_t n);
void *memmove(void *d, const void *s, size_t n);
void *memset(void *d, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
char *strcpy(char *d, const char *s);
char *strncpy(char *d, const char *s, size_t n);
size_t strlcpy(char *d, const char *s, size_t n);
int kstrtoint(const char *s, unsigned base, int *r);
int kstrtouint(const char *s, unsigned base, unsigned *r);
int kstrtoul(const char *s, unsigned base, unsigned long *r);

/* errors in pointers */
#define MAX_ERRNO 4095
static inline void *ERR_PTR(long e) { return (void *)e; }
static inline long PTR_ERR(const void *p) { return (long)p; }
static inline bool IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-MAX_ERRNO; }
static inline bool IS_ERR_OR_NULL(const void *p) { return !p || IS_ERR(p); }

/* modules */
struct module;
#define THIS_MODULE ((struct module *)0)
#define __whoop_cat(a, b) a##b
#define module_init(f) int (*const __whoop_initcall_##f)(void) = f;
#define module_exit(f) void (*const __whoop_exitcall_##f)(void) = f;
#define MODULE_LICENSE(x)
#define MODULE_AUTHOR(x)
#define MODULE_DESCRIPTION(x)
#define MODULE_ALIAS(x)
#define MODULE_VERSION(x)
#define MODULE_DEVICE_TABLE(t, n)
#define MODULE_PARM_DESC(n, d)
#define MODULE_ALIAS_MISCDEV(n)
#define S_IRUSR 00400
#define S_IWUSR 00200
#define S_IRGRP 00040
#define S_IWGRP 00020
#define S_IROTH 00004
#define S_IWOTH 00002
#define S_IRUGO (S_IRUSR | S_IRGRP | S_IROTH)
#define S_IWUGO (S_IWUSR | S_IWGRP | S_IWOTH)
struct kernel_param_ops;
struct kparam_string {
	unsigned int maxlen;
	char *string;
};
struct kparam_array {
	unsigned int max;
	unsigned int *num;
	void *elem;
};
struct kernel_param {
	const char *name;
	const struct kernel_param_ops *ops;
	unsigned short perm;
	union {
		void *arg;
		const struct kparam_string *str;
		const struct kparam_array *arr;
	};
};
#define module_param(n, t, p) module_param_named(n, n, t, p)
#define module_param_named(n, v, t, p) static const struct kernel_param __param_##n = { #n, 0, p, { &v } }
#define module_param_array(n, t, c, p) module_param_array_named(n, n, t, c, p)
#define module_param_array_named(n, v, t, c, p) static const struct kparam_array __param_arr_##n = { 0, c, v }; static const struct kernel_param __param_##n = { #n, 0, p, { (void *)&__param_arr_##n } }
#define module_param_string(n, s, l, p) static const struct kparam_string __param_string_##n = { l, s }; static const struct kernel_param __param_##n = { #n, 0, p, { (void *)&__param_string_##n } }
#define MODULE_FIRMWARE(x)
#define MODULE_SOFTDEP(x)
#define MODULE_INFO(t, x)
#define MODULE_IMPORT_NS(x)
#define MODULE_ALIAS_CHARDEV(a, b)
#define MODULE_ALIAS_CHARDEV_MAJOR(a)
#define EXPORT_SYMBOL_NS(x, n) EXPORT_SYMBOL(x)
#define EXPORT_SYMBOL_NS_GPL(x, n) EXPORT_SYMBOL(x)
#define early_initcall(f) module_init(f)
#define core_initcall(f) module_init(f)
#define arch_initcall(f) module_init(f)
#define subsys_initcall(f) module_init(f)
#define fs_initcall(f) module_init(f)
#define device_initcall(f) module_init(f)
#define late_initcall(f) module_init(f)
#define module_driver(d, reg, unreg) static int d##_init(void) { return reg(&d); } static void d##_exit(void) { unreg(&d); } module_init(d##_init) module_exit(d##_exit)
#define module_platform_driver(d) module_driver(d, platform_driver_register, platform_driver_unregister)
#define module_misc_device(d) module_driver(d, misc_register, misc_deregister)
#define EXPORT_SYMBOL(x) static void *__attribute__((used)) __UNIQUE_ID___addressable_##x = (void *)&x
#define EXPORT_SYMBOL_GPL(x) EXPORT_SYMBOL(x)

/* locks */
typedef struct spinlock { int __raw; } spinlock_t, raw_spinlock_t;
struct mutex { int __count; };
typedef struct { int __cnt; } rwlock_t;
struct rw_semaphore { int __count; };
struct semaphore { int __count; };
struct completion { unsigned int __done; };
typedef struct { unsigned __sequence; } seqlock_t;
#define DEFINE_SPINLOCK(x) spinlock_t x = { 0 }
#define DEFINE_RAW_SPINLOCK(x) raw_spinlock_t x = { 0 }
#define DEFINE_MUTEX(x) struct mutex x = { 0 }
#define DEFINE_RWLOCK(x) rwlock_t x = { 0 }
#define DECLARE_RWSEM(x) struct rw_semaphore x = { 0 }
#define DEFINE_SEMAPHORE(x) struct semaphore x = { 1 }
#define DECLARE_COMPLETION(x) struct completion x = { 0 }
#define __SPIN_LOCK_UNLOCKED(x) { 0 }
#define __RW_LOCK_UNLOCKED(x) { 0 }
#define __MUTEX_INITIALIZER(x) { 0 }
#define __RWSEM_INITIALIZER(x) { 0 }
#define __SEMAPHORE_INITIALIZER(x, n) { (n) }
#define __SEQLOCK_UNLOCKED(x) { 0 }
#define COMPLETION_INITIALIZER(x) { 0 }
#define DECLARE_COMPLETION_ONSTACK(x) struct completion x = { 0 }
#define DEFINE_SEQLOCK(x) seqlock_t x = { 0 }
void spin_lock_init(spinlock_t *l); void spin_lock(spinlock_t *l); void spin_unlock(spinlock_t *l); int spin_trylock(spinlock_t *l);
void spin_lock_irq(spinlock_t *l); void spin_unlock_irq(spinlock_t *l); void spin_lock_bh(spinlock_t *l); void spin_unlock_bh(spinlock_t *l);
unsigned long _raw_spin_lock_irqsave(spinlock_t *l); void spin_unlock_irqrestore(spinlock_t *l, unsigned long f);
#define spin_lock_irqsave(l, f) do { (f) = _raw_spin_lock_irqsave(l); } while (0)
void raw_spin_lock(raw_spinlock_t *l); void raw_spin_unlock(raw_spinlock_t *l);
#define spin_lock_irqsave_nested(l, f, n) spin_lock_irqsave(l, f)
#define spin_lock_nested(l, n) spin_lock(l)
#define mutex_lock_nested(l, n) mutex_lock(l)
#define raw_spin_lock_irqsave(l, f) spin_lock_irqsave(l, f)
#define raw_spin_unlock_irqrestore(l, f) spin_unlock_irqrestore(l, f)
#define raw_spin_lock_init(l) spin_lock_init(l)
int spin_trylock_irq(spinlock_t *l); int spin_trylock_bh(spinlock_t *l); int __whoop_spin_trylock_irqsave(spinlock_t *l);
#define spin_trylock_irqsave(l, f) ({ (f) = 0; __whoop_spin_trylock_irqsave(l); })
void mutex_init(struct mutex *m); void mutex_destroy(struct mutex *m); void mutex_lock(struct mutex *m); void mutex_unlock(struct mutex *m);
int mutex_trylock(struct mutex *m); int mutex_lock_interruptible(struct mutex *m); int mutex_lock_killable(struct mutex *m); bool mutex_is_locked(struct mutex *m);
void rwlock_init(rwlock_t *l); void read_lock(rwlock_t *l); void read_unlock(rwlock_t *l); void write_lock(rwlock_t *l); void write_unlock(rwlock_t *l);
void read_lock_irq(rwlock_t *l); void read_unlock_irq(rwlock_t *l); void write_lock_irq(rwlock_t *l); void write_unlock_irq(rwlock_t *l);
int read_trylock(rwlock_t *l); int write_trylock(rwlock_t *l); void read_lock_bh(rwlock_t *l); void read_unlock_bh(rwlock_t *l); void write_lock_bh(rwlock_t *l); void write_unlock_bh(rwlock_t *l);
unsigned long __whoop_read_lock_irqsave(rwlock_t *l); unsigned long __whoop_write_lock_irqsave(rwlock_t *l); void read_unlock_irqrestore(rwlock_t *l, unsigned long f); void write_unlock_irqrestore(rwlock_t *l, unsigned long f);
#define read_lock_irqsave(l, f) do { (f) = __whoop_read_lock_irqsave(l); } while (0)
#define write_lock_irqsave(l, f) do { (f) = __whoop_write_lock_irqsave(l); } while (0)
void seqlock_init(seqlock_t *s); unsigned read_seqbegin(const seqlock_t *s); unsigned read_seqretry(const seqlock_t *s, unsigned n); void write_seqlock(seqlock_t *s); void write_sequnlock(seqlock_t *s);
void write_seqlock_irq(seqlock_t *s); void write_sequnlock_irq(seqlock_t *s); void write_seqlock_bh(seqlock_t *s); void write_sequnlock_bh(seqlock_t *s); unsigned long __write_seqlock_irqsave(seqlock_t *s); void write_sequnlock_irqrestore(seqlock_t *s, unsigned long f);
#define write_seqlock_irqsave(l, f) do { (f) = __write_seqlock_irqsave(l); } while (0)
int down_write_killable(struct rw_semaphore *s); int down_read_killable(struct rw_semaphore *s); int down_killable(struct semaphore *s); int down_timeout(struct semaphore *s, long t);
bool try_wait_for_completion(struct completion *c); bool completion_done(struct completion *c); long wait_for_completion_interruptible_timeout(struct completion *c, unsigned long t); int wait_for_completion_killable(struct completion *c);
void init_rwsem(struct rw_semaphore *s); void down_read(struct rw_semaphore *s); void up_read(struct rw_semaphore *s);
void down_write(struct rw_semaphore *s); void up_write(struct rw_semaphore *s); void downgrade_write(struct rw_semaphore *s); int down_read_trylock(struct rw_semaphore *s); int down_write_trylock(struct rw_semaphore *s);
void sema_init(struct semaphore *s, int n); void down(struct semaphore *s); void up(struct semaphore *s); int down_interruptible(struct semaphore *s); int down_trylock(struct semaphore *s);
void init_completion(struct completion *c); void reinit_completion(struct completion *c); void complete(struct completion *c); void complete_all(struct completion *c);
void wait_for_completion(struct completion *c); unsigned long wait_for_completion_timeout(struct completion *c, unsigned long t); int wait_for_completion_interruptible(struct completion *c);
unsigned long __whoop_local_irq_save(void); void local_irq_restore(unsigned long f); void local_bh_disable(void); void local_bh_enable(void);
#define local_irq_save(f) do { (f) = __whoop_local_irq_save(); } while (0)
void local_irq_disable(void); void local_irq_enable(void); void preempt_disable(void); void preempt_enable(void);
#define rcu_dereference(p) READ_ONCE(p)
#define rcu_dereference_protected(p, c) (p)
#define rcu_dereference_raw(p) READ_ONCE(p)
#define rcu_access_pointer(p) READ_ONCE(p)
#define rcu_assign_pointer(p, v) WRITE_ONCE(p, v)
#define RCU_INIT_POINTER(p, v) WRITE_ONCE(p, v)
#define smp_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define smp_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define xchg(p, v) __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)
#define cmpxchg(p, o, n) ({ __typeof__(*(p)) __old = (o); __atomic_compare_exchange_n((p), &__old, (n), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); __old; })
#define __rcu
struct rcu_head { struct rcu_head *next; void (*func)(struct rcu_head *); };
/* Locks that are released where the block of the guard is left. */
#define __whoop_cat2(a, b) __whoop_cat(a, b)
#define __cleanup(f) __attribute__((cleanup(f)))
#define __whoop_guard(kind, type, lock, unlock) static inline type *__whoop_take_##kind(type *l) { lock(l); return l; } static inline void __whoop_leave_##kind(type **l) { unlock(*l); } typedef type __whoop_lock_##kind;
#define guard(kind) __whoop_lock_##kind *__whoop_cat2(__guard, __COUNTER__) __cleanup(__whoop_leave_##kind) = __whoop_take_##kind
#define scoped_guard(kind, l) for (__whoop_lock_##kind *__scope __cleanup(__whoop_leave_##kind) = __whoop_take_##kind(l), *__once = __scope; __once; __once = NULL)
void rcu_read_lock(void); void rcu_read_unlock(void); void synchronize_rcu(void);
void lock_kernel(void); void unlock_kernel(void);
__whoop_guard(mutex, struct mutex, mutex_lock, mutex_unlock)
__whoop_guard(spinlock, spinlock_t, spin_lock, spin_unlock)
__whoop_guard(spinlock_irq, spinlock_t, spin_lock_irq, spin_unlock_irq)
__whoop_guard(spinlock_bh, spinlock_t, spin_lock_bh, spin_unlock_bh)
__whoop_guard(spinlock_irqsave, spinlock_t, spin_lock_irq, spin_unlock_irq)
__whoop_guard(read_lock, rwlock_t, read_lock, read_unlock)
__whoop_guard(write_lock, rwlock_t, write_lock, write_unlock)
__whoop_guard(rwsem_read, struct rw_semaphore, down_read, up_read)
__whoop_guard(rwsem_write, struct rw_semaphore, down_write, up_write)
#define lockdep_assert_held(l) do { } while (0)

/* atomics and bits */
typedef struct { int counter; } atomic_t;
typedef struct { long counter; } atomic_long_t;
typedef struct { s64 counter; } atomic64_t;
typedef struct { int counter; } refcount_t;
#define ATOMIC_INIT(i) { (i) }
int atomic_read(const atomic_t *v); void atomic_set(atomic_t *v, int i); void atomic_inc(atomic_t *v); void atomic_dec(atomic_t *v);
void atomic_add(int i, atomic_t *v); void atomic_sub(int i, atomic_t *v); int atomic_inc_return(atomic_t *v); int atomic_dec_return(atomic_t *v);
int atomic_add_return(int i, atomic_t *v); int atomic_dec_and_test(atomic_t *v); int atomic_inc_and_test(atomic_t *v); int atomic_cmpxchg(atomic_t *v, int o, int n);
int atomic_xchg(atomic_t *v, int n); int atomic_add_unless(atomic_t *v, int a, int u); int atomic_inc_not_zero(atomic_t *v);
void set_bit(long n, volatile unsigned long *a); void clear_bit(long n, volatile unsigned long *a); void change_bit(long n, volatile unsigned long *a);
int test_and_set_bit(long n, volatile unsigned long *a); int test_and_clear_bit(long n, volatile unsigned long *a); int test_bit(long n, const volatile unsigned long *a);
void __set_bit(long n, volatile unsigned long *a); void __clear_bit(long n, volatile unsigned long *a);

#define BITS_PER_LONG 64
#define BITS_TO_LONGS(n) DIV_ROUND_UP(n, BITS_PER_LONG)
#define DECLARE_BITMAP(n, b) unsigned long n[BITS_TO_LONGS(b)]
int test_and_change_bit(long n, volatile unsigned long *a); void atomic64_set(atomic64_t *v, s64 i); s64 atomic64_read(const atomic64_t *v); void atomic64_inc(atomic64_t *v); void atomic64_dec(atomic64_t *v); void atomic64_add(s64 i, atomic64_t *v);
void atomic_long_set(atomic_long_t *v, long i); long atomic_long_read(const atomic_long_t *v); void atomic_long_inc(atomic_long_t *v); void atomic_long_dec(atomic_long_t *v); unsigned refcount_read(const refcount_t *r); bool refcount_inc_not_zero(refcount_t *r);
int atomic_fetch_add(int i, atomic_t *v); int atomic_fetch_inc(atomic_t *v); int atomic_sub_and_test(int i, atomic_t *v); int atomic_sub_return(int i, atomic_t *v);

/* memory */
void *kmemdup(const void *p, size_t n, gfp_t f); char *kstrdup(const char *s, gfp_t f); void *kmalloc_array(size_t c, size_t n, gfp_t f); void *krealloc(const void *p, size_t n, gfp_t f); void kfree_sensitive(const void *p); void kvfree(const void *p);
ssize_t simple_read_from_buffer(void *to, size_t n, loff_t *pos, const void *from, size_t avail); ssize_t simple_write_to_buffer(void *to, size_t avail, loff_t *pos, const void *from, size_t n);
int sysfs_emit(char *buf, const char *fmt, ...); ssize_t strscpy(char *d, const char *s, size_t n); int kstrtobool(const char *s, bool *r); int kstrtou8(const char *s, unsigned base, u8 *r); int kstrtol(const char *s, unsigned base, long *r);
void *kmalloc(size_t n, gfp_t f); void *kzalloc(size_t n, gfp_t f); void *kcalloc(size_t c, size_t n, gfp_t f); void kfree(const void *p); void *vmalloc(unsigned long n); void *vzalloc(unsigned long n); void vfree(const void *p);
struct device;
void *devm_kzalloc(struct device *d, size_t n, gfp_t f);
unsigned long copy_to_user(void __user *to, const void *from, unsigned long n);
unsigned long copy_from_user(void *to, const void __user *from, unsigned long n);
#define get_user(x, p) (copy_from_user(&(x), (p), sizeof(x)) ? -EFAULT : 0)
#define put_user(x, p) ({ __typeof__(*(p)) __pu = (x); copy_to_user((p), &__pu, sizeof(__pu)) ? -EFAULT : 0; })
#define access_ok(...) 1

/* lists */
struct list_head { struct list_head *next, *prev; };
#define LIST_HEAD_INIT(n) { &(n), &(n) }
#define LIST_HEAD(n) struct list_head n = LIST_HEAD_INIT(n)
static inline void INIT_LIST_HEAD(struct list_head *l) { l->next = l; l->prev = l; }
static inline void __list_add(struct list_head *n, struct list_head *p, struct list_head *x) { x->prev = n; n->next = x; n->prev = p; p->next = n; }
static inline void list_add(struct list_head *n, struct list_head *h) { __list_add(n, h, h->next); }
static inline void list_add_tail(struct list_head *n, struct list_head *h) { __list_add(n, h->prev, h); }
static inline void list_del(struct list_head *e) { e->next->prev = e->prev; e->prev->next = e->next; e->next = NULL; e->prev = NULL; }
static inline void list_del_init(struct list_head *e) { e->next->prev = e->prev; e->prev->next = e->next; INIT_LIST_HEAD(e); }
static inline void list_move(struct list_head *e, struct list_head *h) { e->next->prev = e->prev; e->prev->next = e->next; list_add(e, h); }
static inline void list_move_tail(struct list_head *e, struct list_head *h) { e->next->prev = e->prev; e->prev->next = e->next; list_add_tail(e, h); }
static inline void list_splice_init(struct list_head *l, struct list_head *h) { if (l->next != l) { struct list_head *a = l->next, *b = l->prev, *c = h->next; a->prev = h; h->next = a; b->next = c; c->prev = b; INIT_LIST_HEAD(l); } }
static inline void list_splice(struct list_head *l, struct list_head *h) { if (l->next != l) { struct list_head *a = l->next, *b = l->prev, *c = h->next; a->prev = h; h->next = a; b->next = c; c->prev = b; } }
static inline int list_is_singular(const struct list_head *h) { return h->next != h && h->next == h->prev; }
static inline void list_add_rcu(struct list_head *n, struct list_head *h) { struct list_head *x = h->next; n->next = x; n->prev = h; WRITE_ONCE(h->next, n); x->prev = n; }
static inline void list_add_tail_rcu(struct list_head *n, struct list_head *h) { struct list_head *p = h->prev; n->next = h; n->prev = p; WRITE_ONCE(p->next, n); h->prev = n; }
static inline void list_del_rcu(struct list_head *e) { e->next->prev = e->prev; WRITE_ONCE(e->prev->next, e->next); e->prev = NULL; }
static inline int list_empty(const struct list_head *h) { return h->next == h; }
#define list_entry(p, t, m) container_of(p, t, m)
#define list_first_entry(h, t, m) list_entry((h)->next, t, m)
#define list_for_each(p, h) for (p = (h)->next; p != (h); p = p->next)
#define list_for_each_entry(p, h, m) for (p = list_entry((h)->next, __typeof__(*p), m); &p->m != (h); p = list_entry(p->m.next, __typeof__(*p), m))
#define list_first_entry_or_null(h, t, m) ({ struct list_head *__first = (h)->next; __first != (h) ? list_entry(__first, t, m) : (t *)NULL; })
#define list_last_entry(h, t, m) list_entry((h)->prev, t, m)
#define list_next_entry(p, m) list_entry((p)->m.next, __typeof__(*(p)), m)
#define list_for_each_entry_reverse(p, h, m) for (p = list_entry((h)->prev, __typeof__(*p), m); &p->m != (h); p = list_entry(p->m.prev, __typeof__(*p), m))
#define list_for_each_entry_rcu(p, h, m, ...) for (p = list_entry(READ_ONCE((h)->next), __typeof__(*p), m); &p->m != (h); p = list_entry(READ_ONCE(p->m.next), __typeof__(*p), m))
#define list_for_each_entry_safe(p, n, h, m) for (p = list_entry((h)->next, __typeof__(*p), m), n = list_entry(p->m.next, __typeof__(*p), m); &p->m != (h); p = n, n = list_entry(n->m.next, __typeof__(*n), m))

/* devices */
struct attribute { const char *name; umode_t mode; };
struct attribute_group { const char *name; struct attribute **attrs; };
struct device_driver { const char *name; struct module *owner; const struct dev_pm_ops *pm; const struct attribute_group **dev_groups; };
struct device { void *driver_data; struct device *parent; void *platform_data; struct device_driver *driver; };
static inline void *dev_get_drvdata(const struct device *d) { return d->driver_data; }
static inline void dev_set_drvdata(struct device *d, void *p) { d->driver_data = p; }
struct dev_pm_ops { int (*suspend)(struct device *); int (*resume)(struct device *); int (*runtime_suspend)(struct device *); int (*runtime_resume)(struct device *); };
int dev_err(const struct device *d, const char *f, ...); int dev_info(const struct device *d, const char *f, ...); int dev_warn(const struct device *d, const char *f, ...); int dev_dbg(const struct device *d, const char *f, ...);
struct resource { resource_size_t start, end; unsigned long flags; };
struct platform_device { const char *name; int id; struct device dev; struct resource *resource; };
struct platform_driver { int (*probe)(struct platform_device *); int (*remove)(struct platform_device *); void (*shutdown)(struct platform_device *); int (*suspend)(struct platform_device *, int); int (*resume)(struct platform_device *); struct device_driver driver; };
static inline void *platform_get_drvdata(const struct platform_device *p) { return p->dev.driver_data; }
static inline void platform_set_drvdata(struct platform_device *p, void *d) { p->dev.driver_data = d; }
int platform_driver_register(struct platform_driver *d); void platform_driver_unregister(struct platform_driver *d); int platform_get_irq(struct platform_device *d, unsigned n);
struct device_attribute { struct attribute attr; ssize_t (*show)(struct device *, struct device_attribute *, char *); ssize_t (*store)(struct device *, struct device_attribute *, const char *, size_t); };
int device_create_file(struct device *d, const struct device_attribute *a); void device_remove_file(struct device *d, const struct device_attribute *a);
#define __ATTR(n, m, s, t) { { #n, m }, s, t }
#define ATTRIBUTE_GROUPS(n) static const struct attribute_group n##_group = { .attrs = n##_attrs }; static const struct attribute_group *n##_groups[] = { &n##_group, NULL }
#define DEVICE_ATTR_RW(n) struct device_attribute dev_attr_##n = { { #n, 0644 }, n##_show, n##_store }
#define DEVICE_ATTR_RO(n) struct device_attribute dev_attr_##n = { { #n, 0444 }, n##_show, NULL }
#define DEVICE_ATTR_WO(n) struct device_attribute dev_attr_##n = { { #n, 0200 }, NULL, n##_store }
#define SIMPLE_DEV_PM_OPS(n, s, r) const struct dev_pm_ops n = { .suspend = s, .resume = r }
#define DEFINE_SIMPLE_DEV_PM_OPS(n, s, r) SIMPLE_DEV_PM_OPS(n, s, r)
#define pm_sleep_ptr(p) (p)
#define pm_ptr(p) (p)
#define DEVICE_ATTR(n, m, s, t) struct device_attribute dev_attr_##n = { { #n, m }, s, t }

/* files */
struct inode { dev_t i_rdev; void *i_private; struct cdev *i_cdev; loff_t i_size; };
struct file { loff_t f_pos; unsigned int f_flags; fmode_t f_mode; void *private_data; struct inode *f_inode; };
struct vm_area_struct; struct poll_table_struct; typedef struct poll_table_struct poll_table; struct fasync_struct;
struct file_operations {
	struct module *owner;
	loff_t (*llseek)(struct file *, loff_t, int);
	ssize_t (*read)(struct file *, char __user *, size_t, loff_t *);
	ssize_t (*write)(struct file *, const char __user *, size_t, loff_t *);
	unsigned int (*poll)(struct file *, struct poll_table_struct *);
	long (*unlocked_ioctl)(struct file *, unsigned int, unsigned long);
	long (*compat_ioctl)(struct file *, unsigned int, unsigned long);
	int (*mmap)(struct file *, struct vm_area_struct *);
	int (*open)(struct inode *, struct file *);
	int (*flush)(struct file *, void *);
	int (*release)(struct inode *, struct file *);
	int (*fsync)(struct file *, loff_t, loff_t, int);
	int (*fasync)(int, struct file *, int);
};
#define FMODE_READ 1u
#define FMODE_WRITE 2u
#define O_NONBLOCK 2048
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
loff_t no_llseek(struct file *f, loff_t o, int w); int nonseekable_open(struct inode *i, struct file *f);
static inline unsigned iminor(const struct inode *i) { return i->i_rdev & 0xff; }
#define MISC_DYNAMIC_MINOR 255
struct miscdevice { int minor; const char *name; const struct file_operations *fops; struct device *parent; struct device *this_device; };
int misc_register(struct miscdevice *m); void misc_deregister(struct miscdevice *m);
struct cdev { const struct file_operations *ops; dev_t dev; };
void cdev_init(struct cdev *c, const struct file_operations *f); int cdev_add(struct cdev *c, dev_t d, unsigned n); void cdev_del(struct cdev *c);
int register_chrdev(unsigned major, const char *name, const struct file_operations *f); void unregister_chrdev(unsigned major, const char *name);
int alloc_chrdev_region(dev_t *d, unsigned first, unsigned n, const char *name); void unregister_chrdev_region(dev_t d, unsigned n);

/* interrupts, work, timers, waiting */
#define IRQ_NONE 0
#define IRQ_HANDLED 1
#define IRQ_WAKE_THREAD 2
#define IRQF_SHARED 0x80ul
typedef irqreturn_t (*irq_handler_t)(int, void *);
int request_irq(unsigned irq, irq_handler_t h, unsigned long flags, const char *name, void *dev); void free_irq(unsigned irq, void *dev);
int request_threaded_irq(unsigned irq, irq_handler_t h, irq_handler_t t, unsigned long flags, const char *name, void *dev);
int devm_request_threaded_irq(struct device *d, unsigned irq, irq_handler_t h, irq_handler_t t, unsigned long flags, const char *name, void *dev);
#define IRQF_ONESHOT 0x2000ul
struct work_struct { struct list_head entry; void (*func)(struct work_struct *); };
struct delayed_work { struct work_struct work; unsigned long __delay; };
struct workqueue_struct;
#define INIT_WORK(w, f) do { (w)->func = (f); } while (0)
#define INIT_DELAYED_WORK(w, f) do { (w)->work.func = (f); } while (0)
#define INIT_DEFERRABLE_WORK(w, f) INIT_DELAYED_WORK(w, f)
#define to_delayed_work(w) container_of(w, struct delayed_work, work)
#define DECLARE_DELAYED_WORK(n, f) struct delayed_work n = { .work = { .func = f } }
#define DEFINE_TIMER(n, f) struct timer_list n = { .function = f }
#define DECLARE_TASKLET(n, f) struct tasklet_struct n = { .use_callback = true, .callback = f }
bool mod_delayed_work(struct workqueue_struct *q, struct delayed_work *w, unsigned long d); bool queue_delayed_work(struct workqueue_struct *q, struct delayed_work *w, unsigned long d); bool cancel_work(struct work_struct *w); bool cancel_delayed_work(struct delayed_work *w);
bool flush_delayed_work(struct delayed_work *w); struct workqueue_struct *alloc_workqueue(const char *fmt, unsigned flags, int n, ...); struct workqueue_struct *alloc_ordered_workqueue(const char *fmt, unsigned flags, ...);
void disable_irq(unsigned irq); void disable_irq_nosync(unsigned irq); void enable_irq(unsigned irq); void synchronize_irq(unsigned irq); int devm_request_irq(struct device *d, unsigned irq, irq_handler_t h, unsigned long flags, const char *name, void *dev);
#define DECLARE_WORK(n, f) struct work_struct n = { .func = f }
bool schedule_work(struct work_struct *w); bool schedule_delayed_work(struct delayed_work *w, unsigned long d); bool cancel_work_sync(struct work_struct *w); bool cancel_delayed_work_sync(struct delayed_work *w); bool flush_work(struct work_struct *w);
bool queue_work(struct workqueue_struct *q, struct work_struct *w); struct workqueue_struct *create_singlethread_workqueue(const char *n); void destroy_workqueue(struct workqueue_struct *q); void flush_workqueue(struct workqueue_struct *q);
struct timer_list { unsigned long expires; void (*function)(struct timer_list *); u32 flags; };
#define timer_setup(t, f, fl) do { (t)->function = (f); (t)->flags = (fl); } while (0)
#define from_timer(v, t, m) container_of(t, __typeof__(*v), m)
int mod_timer(struct timer_list *t, unsigned long e); void add_timer(struct timer_list *t); int del_timer(struct timer_list *t); int del_timer_sync(struct timer_list *t); int timer_shutdown(struct timer_list *t); int timer_shutdown_sync(struct timer_list *t);
struct tasklet_struct { struct tasklet_struct *next; unsigned long state; bool use_callback; union { void (*func)(unsigned long); void (*callback)(struct tasklet_struct *); }; unsigned long data; };
void tasklet_init(struct tasklet_struct *t, void (*f)(unsigned long), unsigned long data); void tasklet_setup(struct tasklet_struct *t, void (*f)(struct tasklet_struct *));
void tasklet_schedule(struct tasklet_struct *t); void tasklet_hi_schedule(struct tasklet_struct *t); void tasklet_kill(struct tasklet_struct *t);
#define from_tasklet(v, t, m) container_of(t, __typeof__(*v), m)
struct task_struct *kthread_run(int (*f)(void *), void *data, const char *name, ...); int kthread_stop(struct task_struct *t); bool kthread_should_stop(void);
extern unsigned long volatile jiffies;
unsigned long msecs_to_jiffies(unsigned m); void msleep(unsigned m); void udelay(unsigned long u); void mdelay(unsigned long m); void schedule(void); void cpu_relax(void);
typedef struct { spinlock_t lock; struct list_head head; } wait_queue_head_t;
#define DECLARE_WAIT_QUEUE_HEAD(n) wait_queue_head_t n
void init_waitqueue_head(wait_queue_head_t *q); void wake_up(wait_queue_head_t *q); void wake_up_interruptible(wait_queue_head_t *q); void wake_up_all(wait_queue_head_t *q);
int __whoop_wait(wait_queue_head_t *q);
int wake_up_process(struct task_struct *t); struct task_struct *kthread_create(int (*f)(void *), void *data, const char *name, ...); long schedule_timeout(long t);
#define wait_event_timeout(q, c, t) ({ long __wt = (t); while (!(c) && __wt > 0) __wt = __whoop_wait(&(q)); __wt; })
#define wait_event_interruptible_timeout(q, c, t) ({ long __wt = (t); while (!(c) && __wt > 0) __wt = __whoop_wait(&(q)); __wt; })
#define wait_event_killable(q, c) wait_event_interruptible(q, c)
#define wait_event_lock_irq(q, c, l) do { while (!(c)) { spin_unlock_irq(&(l)); __whoop_wait(&(q)); spin_lock_irq(&(l)); } } while (0)
#define wait_event(q, c) do { while (!(c)) __whoop_wait(&(q)); } while (0)
#define wait_event_interruptible(q, c) ({ int __wr = 0; while (!(c)) { __wr = __whoop_wait(&(q)); if (__wr) break; } __wr; })
void poll_wait(struct file *f, wait_queue_head_t *q, poll_table *p);
#define POLLIN 1
#define POLLOUT 4
#define POLLRDNORM 0x40

/* registers and ports */
unsigned char inb(int port); void outb(unsigned char v, int port); unsigned short inw(int port); void outw(unsigned short v, int port); unsigned inl(int port); void outl(unsigned v, int port);
u8 readb(const volatile void __iomem *a); u16 readw(const volatile void __iomem *a); u32 readl(const volatile void __iomem *a);
void writeb(u8 v, volatile void __iomem *a); void writew(u16 v, volatile void __iomem *a); void writel(u32 v, volatile void __iomem *a);
u8 ioread8(const void __iomem *a); u32 ioread32(const void __iomem *a); void iowrite8(u8 v, void __iomem *a); void iowrite32(u32 v, void __iomem *a);
void __iomem *ioremap(phys_addr_t a, size_t n); void iounmap(volatile void __iomem *a);
struct resource *request_region(resource_size_t s, resource_size_t n, const char *name); void release_region(resource_size_t s, resource_size_t n);
#define _IO(t, n) (((t) << 8) | (n))
#define _IOR(t, n, s) (0x80000000u | (sizeof(s) << 16) | ((t) << 8) | (n))
#define _IOW(t, n, s) (0x40000000u | (sizeof(s) << 16) | ((t) << 8) | (n))
#define _IOWR(t, n, s) (0xc0000000u | (sizeof(s) << 16) | ((t) << 8) | (n))
bool capable(int c);
#define CAP_SYS_ADMIN 21

/* watchdogs */
struct watchdog_device; struct watchdog_info { u32 options; u32 firmware_version; u8 identity[32]; };
struct watchdog_ops { struct module *owner; int (*start)(struct watchdog_device *); int (*stop)(struct watchdog_device *); int (*ping)(struct watchdog_device *); unsigned (*status)(struct watchdog_device *); int (*set_timeout)(struct watchdog_device *, unsigned); unsigned (*get_timeleft)(struct watchdog_device *); };
struct watchdog_device { int id; const struct watchdog_info *info; const struct watchdog_ops *ops; unsigned timeout; unsigned long status; void *driver_data; };
#define WATCHDOG_MINOR 130
#define WDIOC_GETSUPPORT _IOR('W', 0, struct watchdog_info)
#define WDIOC_KEEPALIVE _IOR('W', 5, int)
#define WDIOC_SETTIMEOUT _IOWR('W', 6, int)
#define WDIOC_GETTIMEOUT _IOR('W', 7, int)
#endif
