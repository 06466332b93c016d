// expat, as the system's package has it.
#include <expat.h>
