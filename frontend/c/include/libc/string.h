#ifndef _WHOOP_STRING_H
#define _WHOOP_STRING_H
#include <stddef.h>
void *memcpy(void *, const void *, size_t);
char *strtok(char *, const char *);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
size_t strlen(const char *);
char *strcpy(char *, const char *);
char *strncpy(char *, const char *, size_t);
char *strcat(char *, const char *);
char *strncat(char *, const char *, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strdup(const char *);
char *strerror(int);
char *stpcpy(char *, const char *);
char *stpncpy(char *, const char *, size_t);
int strcoll(const char *, const char *);
size_t strcspn(const char *, const char *);
int strerror_r(int, char *, size_t);
char *strndup(const char *, size_t);
size_t strnlen(const char *, size_t);
char *strpbrk(const char *, const char *);
char *strsignal(int);
size_t strspn(const char *, const char *);
char *strtok_r(char *, const char *, char **);
size_t strxfrm(char *, const char *, size_t);
void *memccpy(void *, const void *, int, size_t);
#endif
