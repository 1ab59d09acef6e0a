import { BlockList, isIP } from 'node:net';

/** Addresses of the internet's registries that lead inside, nowhere, or to many. */
const refused4 = [
  '0.0.0.0/8', // this network; on Linux it is loopback
  '10.0.0.0/8',
  '100.64.0.0/10', // carriers' own
  '127.0.0.0/8',
  '168.63.129.16/32', // looks public, yet is the metadata service of one cloud
  '169.254.0.0/16', // link-local, the metadata service of most clouds among them
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

/** Only this block of IPv6 is assigned publicly: private, local and multicast addresses lie outside. */
const given6 = '2000::/3';
const refused6 = [
  '2001::/23', // Teredo, ORCHID, benchmarks: an IPv4 address or an identity inside, never a web server
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, an IPv4 address inside
  '3ffe::/16', // given back
  '3fff::/20', // documentation
];

/** Metadata services of clouds, which hand out the machine's credentials. No allow list opens them. */
const metadata4 = [
  '169.254.0.0/16', // link-local: most clouds, and containers of some (169.254.170.2)
  '168.63.129.16/32', // Azure
  '100.100.100.200/32', // Alibaba
  '192.0.0.192/32', // Oracle
];
const metadata6 = [
  'fe80::/10', // link-local
  'fd00:ec2::/32', // AWS
  'fd20:ce::254/128', // Google
  'fd00:c1::a9fe:a9fe/128', // Oracle
  'fd00:42::42/128', // Scaleway
];
const metadataNames = new Set([
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.azure.internal', 'metadata.azure.com'],
  ...['instance-data', 'instance-data.ec2.internal', 'metadata.tencentyun.com', 'metadata.platformequinix.com'],
]);

function listOf(blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [address = '', bits = ''] = block.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}

const [never4, never6, public6] = [listOf(refused4), listOf(refused6), listOf([given6])];
const metadata = listOf([...metadata4, ...metadata6]);

/** The eight groups of an IPv6 address. The URL parser reads every spelling and writes one. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const numbers = (text: string) => (text ? text.split(':').map((group) => Number.parseInt(group, 16)) : []);
  const [before, after] = [numbers(head), numbers(tail ?? '')];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** The IPv4 address that a connection to this address ends at: mapped (::ffff:a.b.c.d), or through NAT64. */
function innerAddress(address: string): string | undefined {
  const groups = groupsOf(address);
  const start = groups.slice(0, 6).join();
  if (start !== '0,0,0,0,0,65535' && start !== [0x64, 0xff9b, 0, 0, 0, 0].join()) return undefined;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

export interface Address {
  address: string;
  family: 'ipv4' | 'ipv6';
}

/** The effective address; undefined when the text is no address or is limited to one link (`fe80::1%eth0`). */
export function effectiveAddress(text: string): Address | undefined {
  if (isIP(text) === 4) return { address: text, family: 'ipv4' };
  if (isIP(text) !== 6 || text.includes('%')) return undefined;
  const inner = innerAddress(text);
  return inner === undefined ? { address: text, family: 'ipv6' } : { address: inner, family: 'ipv4' };
}

/** Whether an address is reachable from the public internet. */
export const isPublic = ({ address, family }: Address): boolean =>
  family === 'ipv4' ? !never4.check(address, family) : public6.check(address, family) && !never6.check(address, family);

/** Whether an address is that of a cloud's metadata service. */
export const isMetadata = ({ address, family }: Address): boolean => metadata.check(address, family);

/** Whether a name is that of a cloud's metadata service, however it resolves. */
export const isMetadataName = (name: string): boolean => metadataNames.has(name.toLowerCase().replace(/\.$/, ''));
