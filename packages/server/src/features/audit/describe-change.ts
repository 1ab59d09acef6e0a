import { isDeepStrictEqual } from 'node:util';
import { maskText } from '../../lib/secrets/mask-text.ts';

/** Makes the `before` and `after` of an audit row: only fields that differ, bounded, and nothing that may be a secret. */

type Fields = Readonly<Record<string, unknown>>;

const changed = '[changed]';
/** Fields whose values are never stored, whatever feature they belong to. */
const secretName =
  /pass(word|phrase)|secret|token(?!s)|credential|authori[sz]ation|cookie|(^|_)(api_?)?keys?$|^value$|inline_value|connection|dsn|headers|^hash$/i;
/** Objects of which the changed keys are shown one by one. */
const opened = new Set(['settings', 'definition']);
/** These change with every write and say nothing. */
const ignored = new Set(['updated_at', 'created_at', 'etag', 'warnings', 'last_used_at', 'may']);
const longestText = 200;
const longestSetting = 60;
const mostFields = 200;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of an address: user name and password, long pieces of the path (webhooks have their token there) and what follows the path. */
const withoutSecretParts = (text: string) =>
  maskText(text)
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1')
    .replace(/(:\/\/[^\s?#]*)[?#]\S*/g, '$1')
    .replace(/(:\/\/[^\s/]*)(\/\S*)/g, (_, host, path) => host + path.replace(/[^/]{16,}/g, '…'));

/** Settings hold prompts, which not every reader of the log may read: only short values are shown. */
function shownSetting(value: unknown): unknown {
  if (typeof value !== 'string') return shown(value);
  return value.length <= longestSetting && !value.includes('\n')
    ? shown(value)
    : `[changed: ${value.length} characters]`;
}

function shown(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    const text = withoutSecretParts(value);
    return text.length <= longestText
      ? text
      : `${text.slice(0, longestText).toWellFormed()}… (${text.length} characters)`;
  }
  // Lists of ids, permissions, models; what lies deeper may be anything.
  if (Array.isArray(value) && value.length <= 50 && value.every((item) => typeof item !== 'object' || item === null))
    return value.map(shown);
  return Array.isArray(value) ? `[changed: ${value.length} entries]` : changed;
}

function differing(before: Fields, after: Fields, hidden: ReadonlySet<string>, path: string, found: Found): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (ignored.has(name) || isDeepStrictEqual(before[name], after[name]) || found.count >= mostFields) continue;
    const [old, now] = [before[name], after[name]];
    if (path === '' && opened.has(name)) {
      differing(isFields(old) ? old : {}, isFields(now) ? now : {}, hidden, `${name}.`, found);
      continue;
    }
    found.count += 1;
    const show = path === '' ? shown : shownSetting;
    const isSecret = secretName.test(name) || hidden.has(name);
    if (Object.hasOwn(before, name)) found.before[path + name] = isSecret ? changed : show(old);
    if (Object.hasOwn(after, name)) found.after[path + name] = isSecret ? changed : show(now);
  }
}

interface Found {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  count: number;
}

export interface DescribedChange {
  before: Fields | null;
  after: Fields | null;
}

/** `before` is absent for a record that was created, `after` for one that was deleted. */
export function describeChange(
  before: object | null | undefined,
  after: object | null | undefined,
  hidden: readonly string[] = [],
): DescribedChange {
  const found: Found = { before: {}, after: {}, count: 0 };
  differing({ ...before }, { ...after }, new Set(hidden), '', found);
  return { before: before ? found.before : null, after: after ? found.after : null };
}

/** For an operation that notes nothing: which fields its body had, without their values. */
export const describeBody = (body: unknown): Fields | null => {
  if (!isFields(body)) return null;
  const names = Object.keys(body).filter((name) => body[name] !== undefined);
  return names.length
    ? Object.fromEntries(names.slice(0, mostFields).map((name) => [name.slice(0, 100), changed]))
    : null;
};
