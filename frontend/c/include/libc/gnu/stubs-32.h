/* The 64-bit packages of the C library lack this header, which 32-bit programs include: no function is missing there that is not called. */
