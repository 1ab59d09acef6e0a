/**
 * Returns the CPU time of this process in milliseconds. Tests of time limits use it because wall-clock time also counts
 * other load on the machine.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
