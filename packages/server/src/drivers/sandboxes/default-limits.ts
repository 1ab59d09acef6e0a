import type { Limits } from './driver.ts';

const mebibyte = 1024 * 1024;

export const defaultLimits: Limits = {
  wall_ms: 600_000,
  cpu_seconds: 60,
  memory_bytes: 512 * mebibyte,
  processes: 128,
  file_bytes: 64 * mebibyte,
  disk_bytes: 200 * mebibyte,
  inodes: 20_000,
  output_bytes: 32 * mebibyte,
};
