import { lookup } from 'node:dns/promises';
import type { Config } from '../src/config.ts';
import { makeAddressKind } from '../src/drivers/web/address-kind.ts';
import { makeAllowList } from '../src/drivers/web/allow-list.ts';
import { maskUrl } from '../src/lib/secrets/mask-url.ts';

const kindOf = makeAddressKind(makeAllowList([]));
const withHost = (address: string) => `http://${address.includes(':') ? `[${address}]` : address}/`;

/** Selects the addresses that are private, or whose name can't be resolved. Sends nothing to them. */
export async function findPrivateAddresses(urls: readonly string[]): Promise<string[]> {
  const inside: string[] = [];
  for (const url of urls) {
    const kind = kindOf(url);
    if (kind === 'public') continue;
    const shown = maskUrl(url);
    if (kind !== 'name') inside.push(kind === 'metadata' ? `${shown} (a metadata service: never reached)` : shown);
    else
      try {
        const found = await lookup(new URL(url).hostname, { all: true });
        if (found.some(({ address }) => kindOf(withHost(address)) !== 'public')) inside.push(shown);
      } catch {
        inside.push(`${shown} (its name can't be resolved here)`);
      }
  }
  return inside;
}

export async function environmentFindings({ providers }: Pick<Config, 'providers'>): Promise<string[]> {
  const lines: string[] = [];
  for (const { name, base_urls } of providers) {
    const urls = await findPrivateAddresses(base_urls);
    if (urls.length) lines.push(`${name}: ${urls.join(', ')}`);
  }
  return lines;
}
