#ifndef _WHOOP_STDNORETURN_H
#define _WHOOP_STDNORETURN_H
#define noreturn _Noreturn
#endif
