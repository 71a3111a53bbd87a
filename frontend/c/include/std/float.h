/* float.h: nothing the verifier needs. */
