// libjpeg-turbo, as the system's package has it. Its header uses FILE without a declaration.
#include <stdio.h>

#include <jpeglib.h>
