import { isDeepStrictEqual } from 'node:util';
import { allows } from '@atrium/contract/permissions.ts';
import type { Settings, SparseSettings } from '@atrium/contract/settings/settings.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import { isOpen, isUrl, mask, maskForm, maskUrl, namesCredential } from '../../../lib/secrets/mask-credentials.ts';

/** Settings that hold addresses, bodies and headers of requests. */
export const maskedKeys = ['mcp_servers', 'actions', 'tools', 'databases', 'base_tools'] as const;

/** The fields in which a schema or a list of pairs holds a value. */
const valueFields = new Set(['value', 'default', 'const', 'example', 'examples', 'enum']);
/** All values in these fields are credentials. */
const hiddenFields = new Set(['headers', 'env', 'cookies']);

type Record_ = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Record_ => typeof value === 'object' && value !== null;

/** Masks a text that is a body: JSON, or a form. */
function maskText(text: string): string {
  if (/^\s*[[{]/.test(text))
    try {
      return JSON.stringify(maskValue(JSON.parse(text), '', false));
    } catch {
      // A template in place of a JSON value makes the text unparsable, so fields are masked by pattern.
      return text.replace(
        /("([\w.-]+)"\s*:\s*)"((?:[^"\\]|\\.)*)"/g,
        (whole, start: string, name: string, value: string) =>
          namesCredential(name) && !isOpen(value) ? `${start}"${mask}"` : whole,
      );
    }
  return /^[\w.%+-]+=[^\s]*$/.test(text) ? maskForm(text) : text;
}

function maskString(text: string, name: string, isHidden: boolean): string {
  if (isHidden || namesCredential(name)) return isOpen(text) ? text : mask;
  if (isUrl(name, text)) return maskUrl(text);
  return name === 'body' ? maskText(text) : text;
}

/** `isHidden`: all values in here are credentials. */
function maskValue(value: unknown, name: string, isHidden: boolean): unknown {
  if (typeof value === 'string') return maskString(value, name, isHidden);
  if (typeof value === 'number') return isHidden || namesCredential(name) ? mask : value;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, name, isHidden));
  if (!isRecord(value)) return value;
  const { name: pairName, key: pairKey } = value;
  const pair = [pairName, pairKey].find((one) => typeof one === 'string');
  // A schema or pair about a credential is shown, except for its value.
  const holdsValue = namesCredential(name) || ('value' in value && pair !== undefined && namesCredential(pair));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (name === 'properties') return [key, maskProperty(item, key)];
      const hidden = isHidden || hiddenFields.has(key) || (holdsValue && valueFields.has(key));
      // The name of a pair is not a credential.
      return [key, key === 'key' && 'value' in value ? item : maskValue(item, key, hidden)];
    }),
  );
}

/** A parameter of a tool may be named `headers` or `token`; it holds a schema, not a credential. */
function maskProperty(schema: unknown, name: string): unknown {
  if (!isRecord(schema)) return schema;
  const hides = namesCredential(name) || hiddenFields.has(name);
  return Object.fromEntries(
    Object.entries(schema).map(([key, item]) => [key, maskValue(item, key, hides && valueFields.has(key))]),
  );
}

/** Masks the credentials in addresses, bodies and headers of any description of tools. */
export const maskCredentials = <T>(value: T): T => maskValue(value, '', false) as T;

/** Whether the caller may only run agents, and so must not see the credentials of their tools. */
export const mustMaskCredentials = ({ permissions }: Pick<Scope, 'permissions'>) => !allows(permissions, 'agents_edit');

/** Settings with masked credentials. A `{{template}}` stays: it names a secret and does not contain it. */
export const maskSettings = (settings: Settings): Settings => ({
  ...settings,
  ...Object.fromEntries(maskedKeys.map((key) => [key, maskCredentials(settings[key])])),
});

/** Drops settings that a caller sends back as they were shown, with masks: they are no change. */
export function dropMaskedValues(
  scope: Pick<Scope, 'permissions'>,
  sent: SparseSettings,
  stored: Settings,
): SparseSettings {
  const isMasked = mustMaskCredentials(scope);
  const unchanged = maskedKeys.filter(
    (key) =>
      sent[key] !== undefined &&
      isDeepStrictEqual(sent[key], maskCredentials(stored[key])) &&
      // A caller that sees credentials may send back what it read with another key.
      (isMasked || !isDeepStrictEqual(sent[key], stored[key])),
  );
  return omit(sent, unchanged);
}
