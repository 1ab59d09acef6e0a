import { isDeepStrictEqual } from 'node:util';
import { allows } from '@atrium/contract/permissions.ts';
import type { Settings, SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../lib/scope.ts';
import { isOpen, isUrl, mask, maskForm, maskUrl, namesCredential } from '../../lib/secrets/mask-credentials.ts';

/** Settings that say where tools send something, and with what. */
const maskedKeys = ['mcp_servers', 'actions', 'tools', 'databases', 'base_tools'] as const;

/** Where a schema or a list of pairs keeps the value of what it names. */
const valueFields = new Set(['value', 'default', 'const', 'example', 'examples', 'enum']);
/** All of what stands in these is for the other side alone. */
const hiddenFields = new Set(['headers', 'env', 'cookies']);

type Record_ = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Record_ => typeof value === 'object' && value !== null;

/** A text that is itself a body: JSON, or a form. */
function maskText(text: string): string {
  if (/^\s*[[{]/.test(text))
    try {
      return JSON.stringify(maskValue(JSON.parse(text), '', false));
    } catch {
      // A template may stand where JSON has a value: then what looks like a field is covered.
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

/** `isHidden`: whatever stands here is a credential. */
function maskValue(value: unknown, name: string, isHidden: boolean): unknown {
  if (typeof value === 'string') return maskString(value, name, isHidden);
  if (typeof value === 'number') return isHidden || namesCredential(name) ? mask : value;
  if (Array.isArray(value)) return value.map((item) => maskValue(item, name, isHidden));
  if (!isRecord(value)) return value;
  const { name: pairName, key: pairKey } = value;
  const pair = [pairName, pairKey].find((one) => typeof one === 'string') as string | undefined;
  // What a schema or a pair says of a credential is open, but for its value.
  const holdsValue = namesCredential(name) || ('value' in value && pair !== undefined && namesCredential(pair));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (name === 'properties') return [key, maskProperty(item, key)];
      const hidden = isHidden || hiddenFields.has(key) || (holdsValue && valueFields.has(key));
      // The name of a pair is no credential, whatever it is called.
      return [key, key === 'key' && 'value' in value ? item : maskValue(item, key, hidden)];
    }),
  );
}

/** A parameter of a tool may be called headers or token; what stands there is a schema. */
function maskProperty(schema: unknown, name: string): unknown {
  if (!isRecord(schema)) return schema;
  const hides = namesCredential(name) || hiddenFields.has(name);
  return Object.fromEntries(
    Object.entries(schema).map(([key, item]) => [key, maskValue(item, key, hides && valueFields.has(key))]),
  );
}

/** Any description of tools with the credentials in its addresses, bodies and headers covered. */
export const maskCredentials = <T>(value: T): T => maskValue(value, '', false) as T;

/** Whether a caller only runs agents: then what they send to other systems to be let in is not for its eyes. */
export const mustMaskCredentials = ({ permissions }: Pick<Scope, 'permissions'>) => !allows(permissions, 'agents_edit');

/** Settings with credentials covered. A `{{template}}` stays: it names a secret and holds none. */
export const maskSettings = (settings: Settings): Settings => ({
  ...settings,
  ...Object.fromEntries(maskedKeys.map((key) => [key, maskCredentials(settings[key])])),
});

/** What a caller sends back as it was shown, masks and all, is no change: it is left out of what is stored. */
export function dropMaskedValues(
  scope: Pick<Scope, 'permissions'>,
  sent: SparseSettings,
  stored: Settings,
): SparseSettings {
  if (!mustMaskCredentials(scope)) return sent;
  const same = (key: string) =>
    (maskedKeys as readonly string[]).includes(key) &&
    isDeepStrictEqual(sent[key as 'actions'], maskCredentials(stored[key as 'actions']));
  return Object.fromEntries(Object.entries(sent).filter(([key]) => !same(key))) as SparseSettings;
}
