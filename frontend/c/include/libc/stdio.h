#ifndef _WHOOP_STDIO_H
#define _WHOOP_STDIO_H
#include <sys/types.h>
#include <stddef.h>
#include <stdarg.h>
typedef struct __whoop_file { int __fd; } FILE;
extern FILE *stdin, *stdout, *stderr;
#define EOF (-1)
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int vprintf(const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
int scanf(const char *, ...);
int sscanf(const char *, const char *, ...);
int puts(const char *);
int putchar(int);
int getchar(void);
int fputs(const char *, FILE *);
char *fgets(char *, int, FILE *);
FILE *fopen(const char *, const char *);
int fclose(FILE *);
int fflush(FILE *);
size_t fread(void *, size_t, size_t, FILE *);
size_t fwrite(const void *, size_t, size_t, FILE *);
void perror(const char *);
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define L_ctermid 9
#define L_tmpnam 20
#define TMP_MAX 238328
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2
typedef struct { long __pos; long __state[1]; } fpos_t;
void clearerr(FILE *);
char *ctermid(char *);
int dprintf(int, const char *, ...);
FILE *fdopen(int, const char *);
int feof(FILE *);
int ferror(FILE *);
int fgetc(FILE *);
int fgetpos(FILE *, fpos_t *);
int fileno(FILE *);
void flockfile(FILE *);
FILE *fmemopen(void *, size_t, const char *);
int fputc(int, FILE *);
FILE *freopen(const char *, const char *, FILE *);
int fscanf(FILE *, const char *, ...);
int fseek(FILE *, long, int);
int fseeko(FILE *, off_t, int);
int fsetpos(FILE *, const fpos_t *);
long ftell(FILE *);
off_t ftello(FILE *);
int ftrylockfile(FILE *);
void funlockfile(FILE *);
int getc(FILE *);
int getc_unlocked(FILE *);
int getchar_unlocked(void);
ssize_t getdelim(char **, size_t *, int, FILE *);
ssize_t getline(char **, size_t *, FILE *);
FILE *open_memstream(char **, size_t *);
int pclose(FILE *);
FILE *popen(const char *, const char *);
int putc(int, FILE *);
int putc_unlocked(int, FILE *);
int putchar_unlocked(int);
int remove(const char *);
int rename(const char *, const char *);
int renameat(int, const char *, int, const char *);
void rewind(FILE *);
void setbuf(FILE *, char *);
int setvbuf(FILE *, char *, int, size_t);
FILE *tmpfile(void);
char *tmpnam(char *);
int ungetc(int, FILE *);
int vdprintf(int, const char *, va_list);
int vfprintf(FILE *, const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
int vscanf(const char *, va_list);
int vsprintf(char *, const char *, va_list);
int vsscanf(const char *, const char *, va_list);
#endif
