// libsodium, as the system's package has it.
#include <sodium.h>
