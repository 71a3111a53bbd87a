/* iso646.h: nothing the verifier needs. */
