import { invalid } from '@atrium/contract/errors.ts';
import { entriesOf } from '@atrium/contract/keys-of.ts';
import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { isUrl, mask } from '../../../lib/secrets/mask-credentials.ts';
import { maskCredentials, maskedKeys } from './mask-settings.ts';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields by which an entry of a list is known wherever it stands in the list. */
const identity = ['id', 'name', 'type'] as const;
const isSameEntry = (one: unknown, other: unknown) =>
  isFields(one) && isFields(other) && identity.every((field) => one[field] === other[field]);

const addresses = ['url', 'dsn', 'address', 'base_url'];
const originOf = (text: unknown) => {
  const url = typeof text === 'string' ? URL.parse(text.replaceAll(mask, 'x').replaceAll(/[{}]/g, 'x')) : null;
  return url ? `${url.protocol}//${url.host}` : text;
};
/** A credential must not follow an entry to another address. */
const isMoved = (sent: Fields, stored: Fields) =>
  addresses.some((field) => field in stored && originOf(sent[field]) !== originOf(stored[field]));

/** Puts stored values back where their masks were sent. */
function restore(sent: unknown, stored: unknown, masked: unknown): unknown {
  if (typeof sent === 'string') return sent === masked && sent.includes(mask) ? stored : sent;
  if (Array.isArray(sent) && Array.isArray(stored) && Array.isArray(masked))
    return sent.map((item, index) => {
      const own = isSameEntry(item, stored[index]) ? index : stored.findIndex((one) => isSameEntry(item, one));
      const at = isFields(item) ? own : index;
      return restore(item, stored[at], masked[at]);
    });
  if (!isFields(sent) || !isFields(stored) || !isFields(masked) || isMoved(sent, stored)) return sent;
  const entries = Object.entries(sent).map(([key, item]) => [key, restore(item, stored[key], masked[key])]);
  return Object.fromEntries(entries);
}

/** Where a mask is left that stands for no stored value. */
function findMask(value: unknown, path: string[]): string[] | undefined {
  if (typeof value === 'string') {
    const isCovered = value === mask || (value.includes(mask) && isUrl(path.at(-1) ?? '', value));
    return isCovered ? path : undefined;
  }
  const items = Array.isArray(value) || isFields(value) ? Object.entries(value) : [];
  for (const [key, item] of items) {
    const found = findMask(item, [...path, key]);
    if (found) return found;
  }
  return undefined;
}

/**
 * The value that was sent, with stored credentials in place of the masks that answers show instead. A mask that stands for
 * nothing stored, or for a credential of another address, is refused: it would be stored as the credential.
 */
export function restoreMasked<T>(sent: T, stored: unknown, at: string[]): T {
  const restored = restore(sent, stored, maskCredentials(stored)) as T;
  const left = findMask(restored, at);
  if (left) throw invalid(left, 'this is the mask of a credential: send the credential itself', mask);
  return restored;
}

/** The same for settings: of the keys whose answers are masked. */
export function restoreMaskedSettings(sent: SparseSettings, stored: SparseSettings, at: string[]): SparseSettings {
  const before = effectiveSettings(stored);
  const entries = entriesOf(sent).map(([key, value]) => {
    const isMasked = maskedKeys.some((masked) => masked === key);
    return [key, isMasked ? restoreMasked(value, before[key], [...at, key]) : value];
  });
  return Object.fromEntries(entries) as SparseSettings;
}
