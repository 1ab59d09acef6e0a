/**
 * Milliseconds that this process has computed for. What is to take no longer than so many is measured by these: the clock
 * goes on while the machine does something else.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
