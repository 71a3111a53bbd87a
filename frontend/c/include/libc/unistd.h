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
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
#define _POSIX_VERSION 200809L
enum {
	_SC_ARG_MAX = 0,
	_SC_CHILD_MAX = 1,
	_SC_CLK_TCK = 2,
	_SC_NGROUPS_MAX = 3,
	_SC_OPEN_MAX = 4,
	_SC_STREAM_MAX = 5,
	_SC_TZNAME_MAX = 6,
	_SC_JOB_CONTROL = 7,
	_SC_SAVED_IDS = 8,
	_SC_REALTIME_SIGNALS = 9,
	_SC_PRIORITY_SCHEDULING = 10,
	_SC_TIMERS = 11,
	_SC_ASYNCHRONOUS_IO = 12,
	_SC_PRIORITIZED_IO = 13,
	_SC_SYNCHRONIZED_IO = 14,
	_SC_FSYNC = 15,
	_SC_MAPPED_FILES = 16,
	_SC_MEMLOCK = 17,
	_SC_MEMLOCK_RANGE = 18,
	_SC_MEMORY_PROTECTION = 19,
	_SC_MESSAGE_PASSING = 20,
	_SC_SEMAPHORES = 21,
	_SC_SHARED_MEMORY_OBJECTS = 22,
	_SC_AIO_LISTIO_MAX = 23,
	_SC_AIO_MAX = 24,
	_SC_AIO_PRIO_DELTA_MAX = 25,
	_SC_DELAYTIMER_MAX = 26,
	_SC_MQ_OPEN_MAX = 27,
	_SC_MQ_PRIO_MAX = 28,
	_SC_VERSION = 29,
	_SC_PAGESIZE = 30,
	_SC_PAGE_SIZE = 30,
	_SC_RTSIG_MAX = 31,
	_SC_SEM_NSEMS_MAX = 32,
	_SC_SEM_VALUE_MAX = 33,
	_SC_SIGQUEUE_MAX = 34,
	_SC_TIMER_MAX = 35,
	_SC_BC_BASE_MAX = 36,
	_SC_BC_DIM_MAX = 37,
	_SC_BC_SCALE_MAX = 38,
	_SC_BC_STRING_MAX = 39,
	_SC_COLL_WEIGHTS_MAX = 40,
	_SC_EQUIV_CLASS_MAX = 41,
	_SC_EXPR_NEST_MAX = 42,
	_SC_LINE_MAX = 43,
	_SC_RE_DUP_MAX = 44,
	_SC_CHARCLASS_NAME_MAX = 45,
	_SC_2_VERSION = 46,
	_SC_2_C_BIND = 47,
	_SC_2_C_DEV = 48,
	_SC_2_FORT_DEV = 49,
	_SC_2_FORT_RUN = 50,
	_SC_2_SW_DEV = 51,
	_SC_2_LOCALEDEF = 52,
	_SC_PII = 53,
	_SC_PII_XTI = 54,
	_SC_PII_SOCKET = 55,
	_SC_PII_INTERNET = 56,
	_SC_PII_OSI = 57,
	_SC_POLL = 58,
	_SC_SELECT = 59,
	_SC_IOV_MAX = 60,
	_SC_UIO_MAXIOV = 60,
	_SC_PII_INTERNET_STREAM = 61,
	_SC_PII_INTERNET_DGRAM = 62,
	_SC_PII_OSI_COTS = 63,
	_SC_PII_OSI_CLTS = 64,
	_SC_PII_OSI_M = 65,
	_SC_T_IOV_MAX = 66,
	_SC_THREADS = 67,
	_SC_THREAD_SAFE_FUNCTIONS = 68,
	_SC_GETGR_R_SIZE_MAX = 69,
	_SC_GETPW_R_SIZE_MAX = 70,
	_SC_LOGIN_NAME_MAX = 71,
	_SC_TTY_NAME_MAX = 72,
	_SC_THREAD_DESTRUCTOR_ITERATIONS = 73,
	_SC_THREAD_KEYS_MAX = 74,
	_SC_THREAD_STACK_MIN = 75,
	_SC_THREAD_THREADS_MAX = 76,
	_SC_THREAD_ATTR_STACKADDR = 77,
	_SC_THREAD_ATTR_STACKSIZE = 78,
	_SC_THREAD_PRIORITY_SCHEDULING = 79,
	_SC_THREAD_PRIO_INHERIT = 80,
	_SC_THREAD_PRIO_PROTECT = 81,
	_SC_THREAD_PROCESS_SHARED = 82,
	_SC_NPROCESSORS_CONF = 83,
	_SC_NPROCESSORS_ONLN = 84,
	_SC_PHYS_PAGES = 85,
	_SC_AVPHYS_PAGES = 86,
	_SC_ATEXIT_MAX = 87,
	_SC_PASS_MAX = 88,
	_SC_XOPEN_VERSION = 89,
	_SC_XOPEN_XCU_VERSION = 90,
	_SC_XOPEN_UNIX = 91,
	_SC_XOPEN_CRYPT = 92,
	_SC_XOPEN_ENH_I18N = 93,
	_SC_XOPEN_SHM = 94,
	_SC_2_CHAR_TERM = 95,
	_SC_2_C_VERSION = 96,
	_SC_2_UPE = 97,
	_SC_XOPEN_XPG2 = 98,
	_SC_XOPEN_XPG3 = 99,
	_SC_XOPEN_XPG4 = 100,
	_SC_CHAR_BIT = 101,
	_SC_CHAR_MAX = 102,
	_SC_CHAR_MIN = 103,
	_SC_INT_MAX = 104,
	_SC_INT_MIN = 105,
	_SC_LONG_BIT = 106,
	_SC_WORD_BIT = 107,
	_SC_MB_LEN_MAX = 108,
	_SC_NZERO = 109,
	_SC_SSIZE_MAX = 110,
	_SC_SCHAR_MAX = 111,
	_SC_SCHAR_MIN = 112,
	_SC_SHRT_MAX = 113,
	_SC_SHRT_MIN = 114,
	_SC_UCHAR_MAX = 115,
	_SC_UINT_MAX = 116,
	_SC_ULONG_MAX = 117,
	_SC_USHRT_MAX = 118,
	_SC_NL_ARGMAX = 119,
	_SC_NL_LANGMAX = 120,
	_SC_NL_MSGMAX = 121,
	_SC_NL_NMAX = 122,
	_SC_NL_SETMAX = 123,
	_SC_NL_TEXTMAX = 124,
	_SC_XBS5_ILP32_OFF32 = 125,
	_SC_XBS5_ILP32_OFFBIG = 126,
	_SC_XBS5_LP64_OFF64 = 127,
	_SC_XBS5_LPBIG_OFFBIG = 128,
	_SC_XOPEN_LEGACY = 129,
	_SC_XOPEN_REALTIME = 130,
	_SC_XOPEN_REALTIME_THREADS = 131,
	_SC_MINSIGSTKSZ = 249
};
enum {
	_PC_LINK_MAX = 0,
	_PC_MAX_CANON = 1,
	_PC_MAX_INPUT = 2,
	_PC_NAME_MAX = 3,
	_PC_PATH_MAX = 4,
	_PC_PIPE_BUF = 5,
	_PC_CHOWN_RESTRICTED = 6,
	_PC_NO_TRUNC = 7,
	_PC_VDISABLE = 8,
	_PC_SYNC_IO = 9,
	_PC_ASYNC_IO = 10,
	_PC_PRIO_IO = 11,
	_PC_SOCK_MAXBUF = 12,
	_PC_FILESIZEBITS = 13,
	_PC_REC_INCR_XFER_SIZE = 14,
	_PC_REC_MAX_XFER_SIZE = 15,
	_PC_REC_MIN_XFER_SIZE = 16,
	_PC_REC_XFER_ALIGN = 17,
	_PC_ALLOC_SIZE_MIN = 18,
	_PC_SYMLINK_MAX = 19
};
#define _SC_NPROCESSORS_ONLN _SC_NPROCESSORS_ONLN
#define _SC_NPROCESSORS_CONF _SC_NPROCESSORS_CONF
#define _SC_PAGESIZE _SC_PAGESIZE
#define _SC_PAGE_SIZE _SC_PAGE_SIZE
#define _SC_OPEN_MAX _SC_OPEN_MAX
#define _SC_CLK_TCK _SC_CLK_TCK
typedef __INTPTR_TYPE__ intptr_t;
extern char **environ, *optarg;
extern int optind, opterr, optopt;
int access(const char *, int);
unsigned int alarm(unsigned int);
int chdir(const char *);
int chown(const char *, uid_t, gid_t);
size_t confstr(int, char *, size_t);
int dup(int);
int dup2(int, int);
int execl(const char *, const char *, ...);
int execle(const char *, const char *, ...);
int execlp(const char *, const char *, ...);
int execv(const char *, char *const *);
int execve(const char *, char *const *, char *const *);
int execvp(const char *, char *const *);
int faccessat(int, const char *, int, int);
int fchdir(int);
int fchown(int, uid_t, gid_t);
int fchownat(int, const char *, uid_t, gid_t, int);
int fdatasync(int);
int fexecve(int, char *const *, char *const *);
pid_t fork(void);
long fpathconf(int, int);
int fsync(int);
int ftruncate(int, off_t);
char *getcwd(char *, size_t);
gid_t getegid(void);
uid_t geteuid(void);
gid_t getgid(void);
int getgroups(int, gid_t *);
int gethostname(char *, size_t);
char *getlogin(void);
int getlogin_r(char *, size_t);
int getopt(int, char *const *, const char *);
pid_t getpgid(pid_t);
pid_t getpgrp(void);
pid_t getppid(void);
pid_t getsid(pid_t);
uid_t getuid(void);
int isatty(int);
int lchown(const char *, uid_t, gid_t);
int link(const char *, const char *);
int linkat(int, const char *, int, const char *, int);
off_t lseek(int, off_t, int);
long pathconf(const char *, int);
int pause(void);
int pipe(int *);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
ssize_t readlink(const char *, char *, size_t);
ssize_t readlinkat(int, const char *, char *, size_t);
int rmdir(const char *);
int setegid(gid_t);
int seteuid(uid_t);
int setgid(gid_t);
int setpgid(pid_t, pid_t);
pid_t setsid(void);
int setuid(uid_t);
int symlink(const char *, const char *);
int symlinkat(const char *, int, const char *);
long sysconf(int);
pid_t tcgetpgrp(int);
int tcsetpgrp(int, pid_t);
int truncate(const char *, off_t);
char *ttyname(int);
int ttyname_r(int, char *, size_t);
int unlink(const char *);
int unlinkat(int, const char *, int);
#endif
