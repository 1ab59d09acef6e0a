import { isDeepStrictEqual } from 'node:util';
import { isOpen, isUrl, mask, namesCredential, namesSecret } from './mask-credentials.ts';
import { maskFields, maskPairs, maskText } from './mask-text.ts';
import { maskUrl, removeUrlCredentials } from './mask-url.ts';

/**
 * Finds the credentials of other systems in any value made of objects, lists and texts. Answers show them covered
 * (`maskSecrets`), exports and archives go without them (`stripSecrets`); both look at every text the same way.
 */

/** The fields in which a schema or a list of pairs holds a value. */
const valueFields = new Set(['value', 'default', 'const', 'example', 'examples', 'enum']);
/** All values in these fields are credentials. */
const hiddenFields = new Set(['headers', 'env', 'cookies']);
/** The names in these fields are a caller's own, and what goes by them is a description. */
const describedFields = new Set(['properties', 'inputs_descriptions']);
const bodyFields = new Set(['body', 'query', 'params']);

export interface SecretRules {
  /** Texts that people write: their structure has names, but no credentials by name. */
  prose?: boolean;
  /** `code` and `key` are programs and names of inputs, as in nodes of workflows, unless they stand in a body. */
  programs?: boolean;
}

interface Place extends SecretRules {
  name: string;
  path: readonly string[];
  /** All values in here are credentials. */
  isHidden: boolean;
  inBody: boolean;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isCredential = ({ name, prose, programs, inBody }: Place) =>
  !prose && (programs && !inBody ? namesSecret(name) : namesCredential(name));

/** Ids of records and nodes may be random, and links between them need them. */
const isId = (name: string, text: string) => /(?:^|_)ids?$/.test(name) && /^[\w-]{1,64}$/.test(text);

/** A whole value that is a credential is `mask`; `inUrl` says how an address goes without its own. */
function maskString(text: string, place: Place, inUrl: (url: string) => string): string {
  if (place.isHidden || isCredential(place)) return isOpen(text) ? text : mask;
  if (isUrl('', text)) return inUrl(text);
  // A relative address, or words in the place of one.
  if (!place.prose && isUrl(place.name, text)) return maskText(inUrl(text));
  if (place.prose) return maskText(text);
  if (isId(place.name, text)) return text;
  if (/^\s*[[{]/.test(text)) {
    const inner = maskJson(text, place, inUrl);
    if (inner !== undefined) return inner;
  }
  const isSecret = (name: string) => isCredential({ ...place, name, inBody: true });
  return maskText(maskPairs(text) ?? maskFields(text, isSecret));
}

/** A text that is JSON, masked like a value; undefined when it is none. */
function maskJson(text: string, place: Place, inUrl: (url: string) => string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const inner = { ...place, name: '', inBody: true };
    const masked = walk(value, inner, (found, at) => maskLeaf(found, at, inUrl));
    return isDeepStrictEqual(masked, value) ? text : JSON.stringify(masked);
  } catch {
    // A template in place of a JSON value makes the text unparsable; nesting can be too deep.
    return undefined;
  }
}

function maskLeaf(value: unknown, place: Place, inUrl = maskUrl): unknown {
  if (typeof value === 'string') return maskString(value, place, inUrl);
  return typeof value === 'number' && (place.isHidden || isCredential(place)) ? mask : value;
}

const leftOut = Symbol('left out');

type Leaf = (value: unknown, place: Place) => unknown;

function walk(value: unknown, place: Place, leaf: Leaf): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => {
      const shown = walk(item, { ...place, path: [...place.path, String(index)] }, leaf);
      // The others keep their places.
      return shown === leftOut ? '' : shown;
    });
  if (!isFields(value)) return leaf(value, place);
  const { name: pairName, key: pairKey } = value;
  const pair = [pairName, pairKey].find((one) => typeof one === 'string');
  const isPair = 'value' in value && pair !== undefined;
  // A schema or pair about a credential is shown, except for its value.
  const holdsValue = isCredential(place) || (isPair && isCredential({ ...place, name: pair }));
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => {
    const path = [...place.path, key];
    if (!place.prose && describedFields.has(place.name))
      return [key, walkDescribed(item, { ...place, path, name: key }, place.name !== 'properties', leaf)];
    // The name of a pair is not a credential.
    if (key === 'key' && 'value' in value) return [key, item];
    const isHidden =
      place.isHidden || (!place.prose && (hiddenFields.has(key) || (holdsValue && valueFields.has(key))));
    const shown = walk(
      item,
      { ...place, name: key, path, isHidden, inBody: place.inBody || bodyFields.has(key) },
      leaf,
    );
    return [key, shown === leftOut && isPair && key === 'value' ? '' : shown];
  });
  return Object.fromEntries(entries.filter(([, item]) => item !== leftOut));
}

/**
 * A parameter of a tool may be named `headers` or `token`; it holds a schema or a description, not a credential. A text
 * among `properties` is no schema, so a body has a field of that name.
 */
function walkDescribed(schema: unknown, place: Place, isDescription: boolean, leaf: Leaf): unknown {
  if (!isFields(schema)) return walk(schema, isDescription ? { ...place, name: '' } : place, leaf);
  const hides = isCredential(place) || hiddenFields.has(place.name);
  const entries = Object.entries(schema).map(([key, item]): [string, unknown] => {
    const isHidden = place.isHidden || (hides && valueFields.has(key));
    return [key, walk(item, { ...place, name: key, path: [...place.path, key], isHidden }, leaf)];
  });
  return Object.fromEntries(entries.filter(([, item]) => item !== leftOut));
}

const start = (rules: SecretRules, path: readonly string[] = []): Place => ({
  ...{ ...rules, name: '', path, isHidden: false, inBody: false },
});

/** A value with its credentials covered. A `{{template}}` stays: it names a secret and does not contain it. */
export const maskSecrets = <T>(value: T, rules: SecretRules = {}): T => walk(value, start(rules), maskLeaf) as T;

/** A value without its credentials, and the keys that lead to each place where one was. */
export interface Stripped<T> {
  value: T;
  places: string[][];
}

/**
 * A value for an export: a field that is a credential is left out, one in a list or a pair is empty, and a part of an
 * address or text is covered. `at` leads to the value in the file.
 */
export function stripSecrets<T>(value: T, at: readonly string[] = [], rules: SecretRules = {}): Stripped<T> {
  const places: string[][] = [];
  const stripped = walk(value, start(rules, at), (found, place) => {
    const shown = maskLeaf(found, place, removeUrlCredentials);
    // What came from another export is still covered.
    const isMissing =
      shown !== found || (typeof found === 'string' && found.includes(mask) && isUrl(place.name, found));
    if (isMissing) places.push([...place.path]);
    return shown === mask && (place.isHidden || isCredential(place)) ? leftOut : shown;
  });
  return { value: (stripped === leftOut ? '' : stripped) as T, places };
}

const at = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, part) => {
    const isHolder = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isHolder ? (value as Fields)[part] : undefined;
  }, root);

/**
 * The listed places of an imported file that still lack their secret. An address exists with or without its secret, so it
 * counts as filled only when it contains a credential again.
 */
export function findMissingSecrets<P extends { path: string[] }>(
  file: object,
  listed: readonly P[],
  rules: SecretRules = {},
): P[] {
  return listed.filter(({ path }) => {
    const value = at(file, path);
    if (typeof value === 'number') return false;
    if (typeof value !== 'string' || value === '' || value.includes(mask)) return true;
    const name = path.at(-1) ?? '';
    return isUrl(name, value) && stripSecrets({ [name]: value }, [], rules).places.length === 0;
  });
}
