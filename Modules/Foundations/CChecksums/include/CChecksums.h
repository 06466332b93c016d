#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Instructions of the processor that Swift cannot use.

/// Whether the processor computes CRC-32C.
bool cchecksum_has_crc32c(void);

/// Returns the register of CRC-32C after `count` bytes, computed by the processor, which must have the instruction.
uint32_t cchecksum_crc32c(uint32_t value, const void *bytes, size_t count);
