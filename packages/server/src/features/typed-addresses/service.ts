import { invalid } from '@atrium/contract/errors.ts';
import { maskUrl } from '../../lib/secrets/mask-url.ts';

export { checkAddresses, warnOfPrivateAddresses } from './settings-addresses.ts';

/**
 * Judges addresses while the caller can still correct them. Only literal addresses and `localhost` are judged here; what a name
 * leads to is known when it is called, and the connection guard decides then.
 */
export interface TypedAddresses {
  /** Why this server would never reach an address; undefined for public and listed ones, and for names. */
  refusalOf(url: string): string | undefined;
  /** Refuses an address that is not reached from here, unless it is the stored one. */
  requireReachable(url: unknown, loc: readonly string[], stored?: unknown): void;
}

const hostOf = (url: string) => URL.parse(url)?.hostname ?? '';

export function makeTypedAddresses(kindOf: (url: string) => string): TypedAddresses {
  function refusalOf(url: string): string | undefined {
    const kind = kindOf(url);
    if (kind === 'metadata')
      return `${hostOf(url)} is the address of a cloud's metadata service, which is never reached`;
    if (kind === 'private')
      return `${hostOf(url)} is a private address, which is not reached from here; the operator can list it in ATRIUM_WEB_ALLOW`;
    return undefined;
  }
  return {
    refusalOf,
    requireReachable(url, loc, stored) {
      if (typeof url !== 'string' || url === stored) return;
      const refusal = refusalOf(url);
      if (refusal) throw invalid([...loc], refusal, maskUrl(url));
    },
  };
}
