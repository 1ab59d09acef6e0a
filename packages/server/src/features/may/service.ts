import { kindOfMay, type May, type MayAction, type MayKind, mayActions } from '@atrium/contract/may.ts';
import { operations } from '@atrium/contract/operations.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import * as z from 'zod';
import { RawAnswer } from '../../lib/responses/raw-answer.ts';
import type { Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';

type Caller = Pick<Scope, 'permissions'>;

const permissionOf = new Map(operations.map(({ id, permission }) => [id, permission]));

/** The permissions that operations ask for, any one of a list; the feature's own rule chooses among those. */
function isPermitted({ permissions }: Caller, operation: string): boolean {
  const needed = permissionOf.get(operation);
  if (needed === undefined) throw new Error(`There is no operation ${operation}`);
  return [needed].flat().some((one) => allows(permissions, one as Permission));
}

/**
 * What the caller may do with an item: the permission of each operation, and where the feature says so, what else it
 * would refuse for this item.
 */
export function mayOf<K extends MayKind>(kind: K, caller: Caller, also: Partial<May<K>> = {}): May<K> {
  const actions: [string, string][] = Object.entries(mayActions[kind]);
  const may = actions.map(([action, operation]) => [
    action,
    isPermitted(caller, operation) && also[action as MayAction<K>] !== false,
  ]);
  return Object.fromEntries(may);
}

/** What features refuse besides a missing permission, by the item as it is answered. */
export type ItemRules = { [K in MayKind]?: (scope: Scope, item: never) => Partial<May<K>> };

/** The fields of an item; those of lists are whole records or their summaries, and the whole record is named first. */
function fieldsOf(schema: unknown): Readonly<Record<string, z.ZodType>> {
  if (schema instanceof z.ZodUnion) return fieldsOf(schema.options[0]);
  return schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};
}
const elementOf = (schema: unknown) => (schema instanceof z.ZodArray ? schema.element : undefined);

/** The kind of the items in an answer, and the items: the answer itself, those of its page, or those of a list. */
function itemsIn(answer: z.ZodType) {
  const own = kindOfMay(fieldsOf(answer)['may']);
  if (own) return { kind: own, change: (value: unknown, add: (item: object) => object) => add(value as object) };
  const ofPage = kindOfMay(fieldsOf(elementOf(fieldsOf(answer)['items']))['may']);
  if (ofPage)
    return {
      kind: ofPage,
      change(value: unknown, add: (item: object) => object) {
        const page = value as { items: object[] };
        return { ...page, items: page.items.map(add) };
      },
    };
  const ofList = kindOfMay(fieldsOf(elementOf(answer))['may']);
  return (
    ofList && { kind: ofList, change: (value: unknown, add: (item: object) => object) => (value as object[]).map(add) }
  );
}

/** Adds `may` to the items of answers. Routes with a presenter of their own write it there. */
export function addMay(routes: readonly Route[], rules: ItemRules): Route[] {
  return routes.map((route) => {
    const found = route.present ? undefined : itemsIn(route.answer);
    if (!found) return route;
    const rule = rules[found.kind] as ((scope: Scope, item: object) => Partial<May<MayKind>>) | undefined;
    const present = (result: unknown, scope: Scope) => {
      if (result instanceof RawAnswer || result === undefined) return result as RawAnswer;
      const add = (item: object) => ({ ...item, may: mayOf(found.kind, scope, rule?.(scope, item)) });
      return found.change(result, add) as unknown as RawAnswer;
    };
    return { ...route, present };
  });
}
