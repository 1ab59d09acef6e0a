#!/bin/sh
# Builds kernel.wasm from kernel.c (clang 14 and lld 14 or newer) and prints the checksum that kernel-wasm.ts holds it to.
set -eu
cd "$(dirname "$0")"
clang --target=wasm32 -msimd128 -O3 -ffast-math -fno-builtin -nostdlib -Wl,--no-entry -Wl,--import-memory -Wl,--strip-all \
  -o kernel.wasm kernel.c
sha256sum kernel.wasm
