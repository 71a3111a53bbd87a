#ifndef _WHOOP_SCHED_H
#define _WHOOP_SCHED_H
int sched_yield(void);
#endif
