import { BlockList, isIP } from 'node:net';
import type { Address } from './address-rules.ts';

export interface AllowList {
  /** Whether the operator trusts this name, however it resolves. */
  host(name: string): boolean;
  address(address: Address): boolean;
}

/** For addresses that the operator or an administrator configured: private ones too, but no metadata service. */
export const allowPrivate: AllowList = { host: () => true, address: () => true };

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function isHostName(entry: string): boolean {
  try {
    // A name that the parser writes differently could never match a request.
    return /^[\w.-]+$/.test(entry) && new URL(`http://${entry}/`).hostname === entry;
  } catch {
    return false;
  }
}

/** Hosts (`wiki.corp`), addresses (`10.0.0.7`) and blocks (`10.0.0.0/8`). An invalid entry stops the start. */
export function makeAllowList(entries: readonly string[]): AllowList {
  const hosts = new Set<string>();
  const blocks = new BlockList();
  for (const given of entries) {
    const entry = given.trim().toLowerCase();
    const [address = '', bits, ...more] = entry.split('/');
    try {
      if (isIP(entry)) blocks.addAddress(entry, familyOf(entry));
      else if (isIP(address) && bits !== undefined && /^\d{1,3}$/.test(bits) && more.length === 0)
        blocks.addSubnet(address, Number(bits), familyOf(address));
      else if (isHostName(entry)) hosts.add(entry.replace(/\.$/, ''));
      else throw new RangeError('none of these');
    } catch {
      throw new Error(`The list of allowed addresses has "${given}", which is no host, address or block (10.0.0.0/8)`);
    }
  }
  return {
    host: (name) => hosts.has(name.toLowerCase().replace(/\.$/, '')),
    address: ({ address, family }) => blocks.check(address, family),
  };
}
