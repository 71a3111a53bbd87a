#ifndef _WHOOP_SYS_TYPES_H
#define _WHOOP_SYS_TYPES_H
#include <stddef.h>
typedef long ssize_t, off_t;
typedef int pid_t;
typedef unsigned int uid_t, gid_t, mode_t;
#endif
