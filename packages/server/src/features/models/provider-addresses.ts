import { invalid } from '@atrium/contract/errors.ts';
import type { ProviderConfig } from '../../drivers/providers/driver.ts';
import type { Keys } from './provider-accounts.ts';

type Addresses = Pick<ProviderConfig, 'base_urls'>;

const withoutSlash = (url: string) => url.replace(/\/+$/, '');
/** The addresses of a provider; an empty string stands for its default address. */
const placesOf = ({ base_urls }: Addresses) => (base_urls.length ? base_urls.map(withoutSlash) : ['']);

/** Whether something would be sent to a place that it was not sent to before. */
export function sendsToNewAddress(before: Addresses, after: Addresses): boolean {
  const known = new Set(placesOf(before));
  return placesOf(after).some((place) => !known.has(place));
}

/** A caller that can change a provider must not learn its keys by redirecting requests to its own server. */
export function requireKeysForNewAddress(before: Keys, given: Partial<Keys>, base_urls: readonly string[]): void {
  for (const name of ['api_key', 'access_key_id', 'secret_access_key'] as const)
    if (before[name] !== null && given[name] === undefined)
      throw invalid(['body', 'base_urls'], `another address needs the ${name} to be given again`, base_urls);
}

/** Refuses addresses early that the connection guard would refuse, while the caller can still correct them. */
export function checkAddresses(
  base_urls: readonly string[],
  kindOf: (url: string) => string,
  { private_allowed }: { private_allowed: boolean },
): void {
  for (const [index, url] of base_urls.entries()) {
    const kind = kindOf(url);
    if (kind === 'metadata')
      throw invalid(
        ['body', 'base_urls', String(index)],
        "this is the address of a cloud's metadata service, which is never reached",
        url,
      );
    if (kind === 'private' && !private_allowed)
      throw invalid(
        ['body', 'base_urls', String(index)],
        `${URL.parse(url)?.hostname ?? 'this'} is a private address: a key with org:admin can save it, or the operator lists it in ATRIUM_PROVIDER_ALLOW or ATRIUM_WEB_ALLOW`,
        url,
      );
  }
}
