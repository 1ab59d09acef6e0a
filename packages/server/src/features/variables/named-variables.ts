import type { Scope } from '../../lib/scope.ts';
import type { SecretDestination } from '../tools/ports.ts';
import { breakSecretHandles, fillTemplates, namesIn, secretHandle } from '../variable-templates/service.ts';
import type { NamedVariables } from './ports.ts';
import { requireDestination } from './require-destination.ts';
import type { VariableRow } from './store.ts';
import { VariableUnavailable } from './variable-unavailable.ts';

export interface NamedDeps {
  byName(scope: Scope, names: readonly string[]): Promise<{ id: string; name: string }[]>;
  byId(scope: Scope, ids: readonly string[]): Promise<VariableRow[]>;
  read(scope: Scope, row: VariableRow): Promise<string>;
}

/**
 * Reads variables of the workspace by the names that a definition uses, and no others: input of a run can't name another
 * one. Nothing is read before it is needed.
 */
export function makeNamedVariables({ byName, byId, read }: NamedDeps): NamedVariables {
  return (scope, names, given) => {
    const { scrubber, mayRead } = given;
    const texts = new Map<string, Promise<string>>();
    let rows: Promise<Map<string, VariableRow>> | undefined;

    async function load(): Promise<Map<string, VariableRow>> {
      const found = await byName(scope, [...names.plain, ...names.handles]);
      const all = await byId(
        scope,
        found.map(({ id }) => id),
      );
      return new Map(all.map((row) => [row.name, row]));
    }
    const known = () => {
      rows ??= load();
      return rows;
    };
    const textOf = (row: VariableRow) => {
      const text = texts.get(row.id) ?? read(scope, row);
      texts.set(row.id, text);
      return text;
    };

    return {
      async plain(wanted) {
        const filled = new Map<string, string>();
        if (names.plain.size === 0) return filled;
        for (const name of wanted) {
          const row = names.plain.has(name) ? (await known()).get(name) : undefined;
          if (!row) continue;
          await mayRead();
          filled.set(name, row.is_secret ? secretHandle(name) : breakSecretHandles(await textOf(row)));
        }
        return filled;
      },

      async reveal<T>(value: T, to: SecretDestination, isRestricted = false): Promise<T> {
        const used = namesIn([value, to.address]).handles;
        if (used.size === 0) return value;
        const filled = new Map<string, string>();
        const revealed: VariableRow[] = [];
        for (const name of used) {
          const row = names.handles.has(name) || names.plain.has(name) ? (await known()).get(name) : undefined;
          if (!row) throw new VariableUnavailable(`There is no variable named ${name}, or it may not be used here`);
          await mayRead();
          const text = await textOf(row);
          scrubber.remember(name, text);
          filled.set(name, text);
          revealed.push(row);
        }
        const fill = <V>(text: V) =>
          fillTemplates(text, ({ name, is_handle }) => (is_handle ? filled.get(name) : undefined));
        for (const row of revealed) requireDestination(row, to, fill(to.address), isRestricted);
        return fill(value);
      },

      async remember(): Promise<void> {
        if (names.plain.size + names.handles.size === 0) return;
        for (const [name, row] of await known()) {
          if (!row.is_secret && !names.handles.has(name)) continue;
          // A secret that can't be read now was not revealed by this run either.
          const text = await textOf(row).catch(() => undefined);
          if (text === undefined) texts.delete(row.id);
          else scrubber.remember(name, text);
        }
      },

      scrub: scrubber.scrub,
    };
  };
}
