import { InvalidRequest } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import type { Scope } from '../../lib/scope.ts';
import { maskUrl } from '../../lib/secrets/mask-url.ts';

type RefusalOf = ((url: string) => string | undefined) | undefined;

interface Address {
  url: string;
  loc: string[];
}

/** The addresses that an agent with these settings calls. Clients also write actions as entries of `tools`. */
function addressesIn(settings: SparseSettings): Address[] {
  const listed = (['actions', 'mcp_servers', 'tools'] as const).flatMap((list) =>
    ((settings[list] ?? []) as readonly unknown[]).map((entry, index) => ({ list, index, ...fieldsOf(entry) })),
  );
  return listed.flatMap(({ list, index, ...entry }) => {
    const { url, type } = entry as { url?: unknown; type?: unknown };
    const isCalled = list !== 'tools' || type === 'action';
    return isCalled && typeof url === 'string' ? [{ url, loc: [list, String(index), 'url'] }] : [];
  });
}

type Refused = Address & { refusal: string };

const findRefused = (settings: SparseSettings, refusalOf: RefusalOf): Refused[] =>
  addressesIn(settings).flatMap((address) => {
    const refusal = refusalOf?.(address.url);
    return refusal ? [{ ...address, refusal }] : [];
  });

const warningOf = ({ refusal, loc }: Refused, at: readonly string[]): RequestWarning => ({
  loc: [...at, ...loc],
  msg: `${refusal}. Until then each call fails`,
  type: 'private_address',
});

/** Warns of the addresses of stored settings that are not reached from here. */
export const warnOfPrivateAddresses = (
  settings: SparseSettings,
  refusalOf: RefusalOf,
  at: readonly string[],
): RequestWarning[] => findRefused(settings, refusalOf).map((address) => warningOf(address, at));

/**
 * Refuses addresses that are not reached from here, naming every place. Those that the record has already may stay, with a
 * warning. Callers without `agents_edit` are refused any new address later, and learn nothing about this server here.
 */
export function checkAddresses(
  scope: Scope,
  settings: SparseSettings,
  refusalOf: RefusalOf,
  at: readonly string[],
  layers: readonly (SparseSettings | null)[] = [],
): RequestWarning[] {
  if (!allows(scope.permissions, 'agents_edit')) return [];
  const refused = findRefused(settings, refusalOf);
  if (refused.length === 0) return [];
  // Answers may mask a credential in an address, which comes back as it was shown.
  const stored = new Set(layers.flatMap((layer) => (layer ? addressesIn(layer) : [])).map(({ url }) => maskUrl(url)));
  const added = refused.filter(({ url }) => !stored.has(maskUrl(url)));
  if (added.length)
    throw new InvalidRequest(
      added.map(({ url, loc, refusal }) => ({
        ...{ loc: [...at, ...loc], msg: `Value error, ${refusal}`, type: 'value_error' },
        ...{ input: maskUrl(url), ctx: { error: refusal } },
      })),
    );
  return refused.map((address) => warningOf(address, at));
}
