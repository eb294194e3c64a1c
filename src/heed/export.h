/* What the shared library shows of itself. */
#ifndef HEED_EXPORT_H
#define HEED_EXPORT_H

#define HEED_API __attribute__((visibility("default")))

#endif
