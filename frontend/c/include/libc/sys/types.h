#ifndef _WHOOP_SYS_TYPES_H
#define _WHOOP_SYS_TYPES_H
#include <stddef.h>
typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t, blkcnt_t, blksize_t, time_t, clock_t;
typedef int pid_t, clockid_t;
typedef unsigned int uid_t, gid_t, mode_t, id_t, useconds_t;
typedef unsigned long dev_t, ino_t, nlink_t, fsblkcnt_t, fsfilcnt_t;
typedef void *timer_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef unsigned char u_int8_t;
typedef unsigned short u_int16_t;
typedef unsigned int u_int32_t;
#ifdef __LP64__
typedef long int64_t, register_t;
typedef unsigned long u_int64_t;
#else
typedef long long int64_t;
typedef int register_t;
typedef unsigned long long u_int64_t;
#endif
#include <bits/pthreadtypes.h>
#endif
