import { isDeepStrictEqual } from 'node:util';
import { keysOf } from '@atrium/contract/keys-of.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Settings, SparseSettings } from '@atrium/contract/settings/settings.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import { mask } from '../../../lib/secrets/mask-credentials.ts';
import { maskSecrets, type Stripped, stripSecrets } from '../../../lib/secrets/mask-secrets.ts';

/** Settings that hold addresses, bodies and headers of requests. */
export const maskedKeys = ['mcp_servers', 'actions', 'tools', 'databases', 'base_tools'] as const;

/** Texts for people and models, with the structure that their editor gave them. */
const prose: ReadonlySet<string> = new Set([
  'persona',
  'tone',
  'extra_instructions',
  'citation_instructions',
  'message_footer',
]);
const rulesOf = (key: string) => ({ prose: prose.has(key) });

/** Whether the caller may only run agents, and so must not see the credentials of their tools. */
export const mustMaskCredentials = ({ permissions }: Pick<Scope, 'permissions'>) => !allows(permissions, 'agents_edit');

/** One setting as callers who may not see credentials are shown it. */
export const maskSetting = <T>(key: string, value: T): T => maskSecrets(value, rulesOf(key));

/** Settings with masked credentials. A `{{template}}` stays: it names a secret and does not contain it. */
export const maskSettings = <T extends SparseSettings>(settings: T): T =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, maskSetting(key, value)])) as T;

/** Settings without credentials, for exports and archives, and the places where they were. */
export function stripSettings(settings: SparseSettings, at: readonly string[]): Stripped<SparseSettings> {
  const places: string[][] = [];
  const entries = Object.entries(settings).map(([key, value]) => {
    const stripped = stripSecrets(value, [...at, key], rulesOf(key));
    places.push(...stripped.places);
    return [key, stripped.value];
  });
  return { value: Object.fromEntries(entries) as SparseSettings, places };
}

export const holdsMask = (value: unknown): boolean => JSON.stringify(value)?.includes(mask) ?? false;

/** Drops settings that a caller sends back as they were shown, with masks: they are no change. */
export function dropMaskedValues(
  scope: Pick<Scope, 'permissions'>,
  sent: SparseSettings,
  stored: Settings,
): SparseSettings {
  const isMasked = mustMaskCredentials(scope);
  const tools: ReadonlySet<string> = new Set(maskedKeys);
  const unchanged = keysOf(sent).filter(
    (key) =>
      sent[key] !== undefined &&
      (tools.has(key) || holdsMask(sent[key])) &&
      isDeepStrictEqual(sent[key], maskSetting(key, stored[key])) &&
      // A caller that sees credentials may send back what it read with another key.
      (isMasked || !isDeepStrictEqual(sent[key], stored[key])),
  );
  return omit(sent, unchanged);
}
