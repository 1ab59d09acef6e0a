import type { Settings } from '@atrium/contract/settings/settings.ts';

import type { Scope } from '../../lib/scope.ts';
import { markCovered } from '../../lib/text/covered-text.ts';
import type { SecretSetting, ToolSecrets } from '../tools/ports.ts';
import {
  breakSecretHandles,
  fillTemplates,
  grantedVariables,
  namesIn,
  secretHandle,
  templateNamesInHosts,
} from '../variable-templates/service.ts';
import type { RunVariables, VariableResolver } from './ports.ts';
import { requireDestination } from './require-destination.ts';
import { makeScrubber } from './scrub-secrets.ts';
import type { VariableRow } from './store.ts';
import { VariableUnavailable } from './variable-unavailable.ts';

export interface ResolveDeps {
  byId(scope: Scope, ids: readonly string[]): Promise<VariableRow[]>;
  byName(scope: Scope, names: readonly string[]): Promise<{ id: string }[]>;
  /** The value as text, from its source. Throws VariableUnavailable. */
  read(scope: Scope, row: VariableRow): Promise<string>;
  /** The values that were sent with the conversation. */
  sent(scope: Scope, conversation_id: string): Promise<Record<string, unknown>>;
  /** The settings of the conversation whose saver lacked variables_read. */
  restricted(scope: Scope, conversation_id: string): Promise<readonly SecretSetting[]>;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Ids of the variables that these settings allow. */
const allowedIn = ({ variables_enabled, variables }: Settings): string[] =>
  variables_enabled
    ? variables.flatMap((entry) => (typeof entry === 'string' ? entry : entry.enabled === false ? [] : entry.id))
    : [];

/**
 * The one place where {{name}} and {{secret.NAME}} become values. Plain variables are filled into the texts of the
 * settings. Values sent with the conversation win over the workspace's, except in the host of an address, since secrets
 * are sent there. A secret stays its handle everywhere; only `reveal` gives a tool its value, for one call.
 */
export function makeVariableResolver({
  byId,
  byName: findByName,
  read,
  sent,
  restricted,
}: ResolveDeps): VariableResolver {
  return async (scope, conversation_id, settings, restrictedHere) => {
    const allowed = allowedIn(settings);
    const rows = allowed.length ? await byId(scope, allowed) : [];
    const byName = new Map(rows.map((row) => [row.name, row]));
    const known = new Map<string, Promise<string>>();
    const value = (row: VariableRow) => {
      const text = known.get(row.id) ?? read(scope, row);
      known.set(row.id, text);
      return text;
    };

    async function filled(): Promise<Pick<RunVariables, 'settings' | 'prompts' | 'given'>> {
      const { plain } = namesIn(settings);
      if (plain.size === 0) return { settings, prompts: settings, given: [] };
      const own = await sent(scope, conversation_id);
      const leading = templateNamesInHosts(settings);
      const texts = new Map<string, string>();
      const given = new Map<string, string>();
      for (const name of plain) {
        const row = byName.get(name);
        if (Object.hasOwn(own, name) && !leading.has(name)) given.set(name, breakSecretHandles(textOf(own[name])));
        else if (row?.is_secret) texts.set(name, secretHandle(name));
        else if (row) texts.set(name, breakSecretHandles(await value(row)));
      }
      const fillWith = (textOf: (name: string) => string | undefined) =>
        fillTemplates(settings, ({ name, is_handle }) => (is_handle ? undefined : (textOf(name) ?? texts.get(name))));
      const whole = fillWith((name) => given.get(name));
      const marked = (name: string) => (given.has(name) ? markCovered(given.get(name) ?? '') : undefined);
      return { settings: whole, prompts: given.size ? fillWith(marked) : whole, given: [...given.values()] };
    }

    const isUnbound = rows.some(({ allowed_hosts }) => allowed_hosts === null);
    const connections = grantedVariables(settings);
    const asksWho = isUnbound || connections.length > 0;
    const weak = restrictedHere ?? (asksWho ? await restricted(scope, conversation_id) : []);
    // An entry that a caller without variables_read has saved is granted nothing.
    const isGranted = connections.length > 0 && !weak.includes('databases');
    const ids = isGranted ? (await findByName(scope, connections)).map(({ id }) => id) : [];
    const granted = new Map((ids.length ? await byId(scope, ids) : []).map((row) => [row.name, row]));

    const scrubber = makeScrubber();
    // Secrets that need no vault are scrubbed from the start: a tool may return what an earlier run has sent. One that
    // can't be read now fails when it is used.
    for (const row of new Set([...rows, ...granted.values()]))
      if (row.is_secret && row.source !== 'vault')
        await value(row).then(
          (text) => scrubber.remember(row.name, text),
          () => {},
        );

    const reveal: ToolSecrets['reveal'] = async (given, to) => {
      const texts = new Map<string, string>();
      const used: VariableRow[] = [];
      for (const name of namesIn([given, to.address]).handles) {
        const row = byName.get(name) ?? (to.setting === 'databases' ? granted.get(name) : undefined);
        if (!row) throw new VariableUnavailable(`This agent may not use a variable named ${name}, or there is none`);
        const text = await value(row);
        scrubber.remember(name, text);
        texts.set(name, text);
        used.push(row);
      }
      const fill = <T>(value: T) =>
        fillTemplates(value, ({ name, is_handle }) => (is_handle ? texts.get(name) : undefined));
      const isRestricted = to.setting !== undefined && weak.includes(to.setting);
      for (const row of used) requireDestination(row, to, fill(to.address), isRestricted);
      return fill(given);
    };

    return { ...(await filled()), secrets: { reveal, scrub: scrubber.scrub } };
  };
}
