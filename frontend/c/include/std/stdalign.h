/* stdalign.h: nothing the verifier needs. */
