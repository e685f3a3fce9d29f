#!/bin/sh
# Says in a line which plan plan.bin is, and which JSON plan.json: those that are reviewed,
# and those that are applied.
set -eu

sum() { sha256sum <"$1" | cut -d ' ' -f 1; }
printf 'Plan file: SHA-256 `%s`, as JSON `%s`.\n' "$(sum plan.bin)" "$(sum plan.json)"
