#include <libpq-fe.h>
#include <sys/eventfd.h>
