/* stdnoreturn.h: nothing the verifier needs. */
