#ifndef _WHOOP_UNISTD_H
#define _WHOOP_UNISTD_H
#include <stddef.h>
#include <sys/types.h>
unsigned int sleep(unsigned int);
int usleep(unsigned int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
int close(int);
pid_t getpid(void);
_Noreturn void _exit(int);
#endif
