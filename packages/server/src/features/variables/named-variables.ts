import type { Scope } from '../../lib/scope.ts';
import type { SecretDestination } from '../tools/ports.ts';
import { breakSecretHandles, fillTemplates, namesIn, secretHandle } from '../variable-templates/service.ts';
import { requireDestination } from './require-destination.ts';
import type { makeScrubber } from './scrub-secrets.ts';
import type { VariableRow } from './store.ts';
import { VariableUnavailable } from './variable-unavailable.ts';

export interface NamedDeps {
  byName(scope: Scope, names: readonly string[]): Promise<{ id: string; name: string }[]>;
  byId(scope: Scope, ids: readonly string[]): Promise<VariableRow[]>;
  read(scope: Scope, row: VariableRow): Promise<string>;
}

/**
 * Variables of the workspace by the names that a definition uses, and no others: what comes in from outside can't name
 * one more. Nothing is read before it is needed.
 */
export function makeNamedVariables({ byName, byId, read }: NamedDeps) {
  return (
    scope: Scope,
    names: { plain: ReadonlySet<string>; handles: ReadonlySet<string> },
    given: {
      /** Where others reveal too, what any of them has revealed is scrubbed for all. */
      scrubber: ReturnType<typeof makeScrubber>;
      /** Rejects where variables may not be read; asked before any value is. */
      mayRead(): Promise<void>;
    },
  ) => {
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
      /** The plain ones among these as they are filled into texts; a secret stays its handle. */
      async plain(wanted: Iterable<string>): Promise<Map<string, string>> {
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

      /** A value with its handles filled in; what they stand for is scrubbed from then on. */
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

      /** Scrubs all secrets it could have revealed, for one who goes on where another was: what can't be read is left. */
      async remember(): Promise<void> {
        if (names.plain.size + names.handles.size === 0) return;
        for (const [name, row] of await known()) {
          if (!row.is_secret && !names.handles.has(name)) continue;
          const text = await textOf(row).catch(() => undefined);
          if (text === undefined) texts.delete(row.id);
          else scrubber.remember(name, text);
        }
      },

      scrub: scrubber.scrub,
    };
  };
}

export type NamedVariables = ReturnType<typeof makeNamedVariables>;
