// The buffer is read when the operation is over.
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
static char buf[64];
int main(void) {
  struct aiocb cb;
  const struct aiocb *list[1] = {&cb};
  memset(&cb, 0, sizeof cb);
  cb.aio_fildes = open("/etc/hostname", O_RDONLY);
  cb.aio_buf = buf;
  cb.aio_nbytes = sizeof buf;
  if (aio_read(&cb))
    return 1;
  while (aio_error(&cb) == EINPROGRESS)
    aio_suspend(list, 1, 0);
  return buf[0] == 'x';
}
