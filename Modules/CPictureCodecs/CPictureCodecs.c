#include "CPictureCodecs.h"
