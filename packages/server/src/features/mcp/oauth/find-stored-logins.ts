import type { Db } from '../../../db/database.ts';
import { urlsWithLogin } from '../store.ts';

const template = /\{\{[^{}]+\}\}/;

/** Whether values for its templates can turn `url` into `other`: the fixed parts must occur there in order. */
function canBecome(url: string, other: string): boolean {
  const [first = '', ...parts] = url.split(template);
  const last = parts.pop();
  if (last === undefined) return url === other;
  if (!other.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts) {
    const at = other.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return other.length - last.length >= from && other.endsWith(last);
}

/**
 * The addresses of the list that have a stored login in this workspace, which an agent would use. An address with a
 * template counts when values can turn it into such an address.
 */
export async function storedLogins(db: Db, workspace_id: string, urls: readonly string[]): Promise<Set<string>> {
  const isOpen = urls.some((url) => template.test(url));
  const stored = (await urlsWithLogin(db, workspace_id, isOpen ? null : urls)).map(({ url }) => url);
  return new Set(urls.filter((url) => stored.some((one) => canBecome(url, one))));
}
