import { invalid } from '@atrium/contract/errors.ts';
import { entriesOf } from '@atrium/contract/keys-of.ts';
import { effectiveSettings, type SparseSettings } from '@atrium/contract/settings/settings.ts';
import { isUrl, mask } from '../../../lib/secrets/mask-credentials.ts';
import { maskSecrets } from '../../../lib/secrets/mask-secrets.ts';
import { holdsMask, maskedKeys, maskSetting } from './mask-settings.ts';

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields by which an entry of a list is known wherever it stands in the list. */
const identity = ['id', 'name', 'type'] as const;
const isSameEntry = (one: unknown, other: unknown) =>
  isFields(one) && isFields(other) && identity.every((field) => one[field] === other[field]);

const addresses = new Set(['url', 'dsn', 'address', 'base_url']);
const isAddress = (field: string, value: unknown) =>
  addresses.has(field) || (typeof value === 'string' && isUrl(field, value));
const originOf = (text: unknown) => {
  const url = typeof text === 'string' ? URL.parse(text.replaceAll(mask, 'x').replaceAll(/[{}]/g, 'x')) : null;
  return url ? `${url.protocol}//${url.host}` : text;
};
/** A credential must not follow an entry to another address. */
const isMoved = (sent: Fields, stored: Fields) =>
  Object.entries(stored).some(([field, value]) => isAddress(field, value) && originOf(sent[field]) !== originOf(value));

/** Where a mask was sent that stands for no stored value. */
function findMasks(value: unknown, path: readonly string[], left: string[][]): void {
  if (typeof value === 'string') {
    const isPart = isUrl(path.at(-1) ?? '', value) || path.includes('body');
    const isCovered = value === mask || (value.includes(mask) && isPart);
    if (isCovered) left.push([...path]);
    return;
  }
  const items = Array.isArray(value) || isFields(value) ? Object.entries(value) : [];
  for (const [key, item] of items) findMasks(item, [...path, key], left);
}

/** Puts stored values back where their masks were sent; `left` gets the places of masks that stand for nothing. */
function restore(sent: unknown, stored: unknown, masked: unknown, path: readonly string[], left: string[][]): unknown {
  // A stored mask, as an import leaves it, stays until it is filled in.
  if (typeof sent === 'string' && sent === masked && sent.includes(mask)) return stored;
  if (Array.isArray(sent) && Array.isArray(stored) && Array.isArray(masked)) {
    const isAt = (item: unknown, index: number) => isSameEntry(item, stored[index]) || isSameEntry(item, masked[index]);
    return sent.map((item, index) => {
      const own = isAt(item, index) ? index : stored.findIndex((_, other) => isAt(item, other));
      const at = isFields(item) ? own : index;
      return restore(item, stored[at], masked[at], [...path, String(index)], left);
    });
  }
  if (!isFields(sent) || !isFields(stored) || !isFields(masked) || isMoved(sent, stored)) {
    findMasks(sent, path, left);
    return sent;
  }
  const entries = Object.entries(sent).map(([key, item]) => [
    key,
    restore(item, stored[key], masked[key], [...path, key], left),
  ]);
  return Object.fromEntries(entries);
}

type MayStay = (path: readonly string[]) => boolean;
const none: MayStay = () => false;

function restoreValue<T>(sent: T, stored: unknown, masked: unknown, at: readonly string[], mayStay: MayStay): T {
  if (!holdsMask(sent)) return sent;
  const left: string[][] = [];
  const restored = restore(sent, stored, masked, at, left) as T;
  const wrong = left.find((path) => !mayStay(path));
  if (wrong) throw invalid(wrong, 'this is the mask of a credential: send the credential itself', mask);
  return restored;
}

/**
 * The value that was sent, with stored credentials in place of the masks that answers show instead. A mask that stands for
 * nothing stored, or for a credential of another address, is refused: it would be stored as the credential.
 */
export const restoreMasked = <T>(sent: T, stored: unknown, at: string[]): T =>
  restoreValue(sent, stored, maskSecrets(stored), at, none);

/**
 * The same for settings. `mayStay`: the places in which an import may leave a mask, to be filled in later. Settings that
 * hold no requests may contain such a text as it is.
 */
export function restoreMaskedSettings(
  sent: SparseSettings,
  stored: SparseSettings,
  at: string[],
  mayStay: MayStay = none,
): SparseSettings {
  if (!holdsMask(sent)) return sent;
  const before = effectiveSettings(stored);
  const entries = entriesOf(sent).map(([key, value]) => {
    const isRequest = maskedKeys.some((masked) => masked === key);
    const masked = maskSetting(key, before[key]);
    return [key, restoreValue(value, before[key], masked, [...at, key], isRequest ? mayStay : () => true)];
  });
  return Object.fromEntries(entries) as SparseSettings;
}
