import { isDeepStrictEqual } from 'node:util';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { isOpen, isUrl, namesSecret, removeUrlCredentials } from '../../../lib/secrets/mask-credentials.ts';

/** Texts for people and models. They hold no credentials, and changing them would change the agent. */
const prose: ReadonlySet<string> = new Set([
  'persona',
  'tone',
  'extra_instructions',
  'citation_instructions',
  'message_footer',
]);

const leftOut = Symbol('left out');
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Settings without credentials of other systems: values of headers, of fields named like credentials, and credentials in
 * addresses. A `{{template}}` stays: it names a secret and does not contain it. `places` lists each removed value.
 */
export function withoutSecrets(
  settings: SparseSettings,
  at: string[],
): { settings: SparseSettings; places: string[][] } {
  const places: string[][] = [];

  function open(value: unknown, path: string[], name: string, inHeaders: boolean): unknown {
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value);
      const secret = (inHeaders || namesSecret(name)) && !isOpen(text);
      const shown = secret
        ? leftOut
        : typeof value === 'string' && isUrl(name, value)
          ? removeUrlCredentials(value)
          : value;
      if (shown !== value) places.push(path);
      return shown;
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value))
      return value
        .map((item, index) => open(item, [...path, String(index)], name, inHeaders))
        .filter((item) => item !== leftOut);
    const entries = Object.entries(value).map(([key, item]) => {
      // A parameter of a tool may be named `headers`; it then holds a schema.
      const headers = key === 'headers' && name !== 'properties' && typeof item === 'object';
      return [key, open(item, [...path, key], key, inHeaders || headers)] as const;
    });
    return Object.fromEntries(entries.filter(([, item]) => item !== leftOut));
  }

  const shown = Object.entries(settings).map(([key, value]) => [
    key,
    prose.has(key) ? value : open(value, [...at, key], key, false),
  ]);
  return { settings: Object.fromEntries(shown) as SparseSettings, places };
}

/** Settings in which an entry that equals a stored one without its credentials is the stored one. */
export function restoreStripped(settings: SparseSettings, stored: SparseSettings): SparseSettings {
  const stripped = withoutSecrets(stored, []).settings;
  const entries = Object.entries(settings).map(([key, value]) => {
    const [own, shown] = [stored[key as 'actions'], stripped[key as 'actions']];
    if (!Array.isArray(value) || !Array.isArray(own) || !Array.isArray(shown)) return [key, value];
    const restored = value.map((entry) => {
      const at = shown.findIndex((one) => isDeepStrictEqual(one, entry));
      return at === -1 ? entry : own[at];
    });
    return [key, restored];
  });
  return Object.fromEntries(entries) as SparseSettings;
}

const at = (root: unknown, path: string[]): unknown =>
  path.reduce<unknown>(
    (value, part) => (isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
    root,
  );

/**
 * The listed places of removed secrets that are still empty. An address exists with or without its secret, so it counts as
 * filled only when it contains a credential again.
 */
export function missingSecrets(file: {
  agent: { definition?: SparseSettings | undefined; draft_definition?: SparseSettings | undefined };
  secrets: { path: string[] }[];
}): { path: string[] }[] {
  const { definition = {}, draft_definition = {} } = file.agent;
  const given = [
    ...withoutSecrets(definition, ['agent', 'definition']).places,
    ...withoutSecrets(draft_definition, ['agent', 'draft_definition']).places,
  ];
  const filled = new Set(given.map((path) => JSON.stringify(path)));
  return file.secrets.filter(({ path }) => {
    const value = at(file, path);
    const other = typeof value === 'string' && value !== '' && !isUrl(path.at(-1) ?? '', value);
    return !other && !filled.has(JSON.stringify(path));
  });
}
