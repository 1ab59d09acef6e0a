import { isIPv6 } from 'node:net';

/** The first four of the eight groups of an IPv6 address, with the zeros that its short form leaves out. */
function firstHalf(address: string): string {
  const [before = [], after = []] = address.split('::').map((half) => half.split(':').filter(Boolean));
  const left_out = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...left_out, ...after].slice(0, 4).join(':');
}

/** The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address. */
export function clientNetworkOf(address: string): string {
  const bare = address.replace(/^::ffff:/i, '');
  return isIPv6(bare) ? firstHalf(bare.toLowerCase()) : bare;
}
