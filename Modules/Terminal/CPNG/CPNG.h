// libpng, as the system's package has it.
#include <png.h>
