import { methodAndPath, type Operation } from '@atrium/contract/operation.ts';
import { operations } from '@atrium/contract/operations.ts';
import { inputSchemaOf } from '@atrium/contract/schema/json-schema.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';

export interface Target {
  kind: string;
  id: string;
}

interface TargetRule {
  /** The parameters of the path that are ids, in order, with the kind of record of each. */
  params: { name: string; kind: string }[];
  /** The kind of record that the operation creates: its own path, with an id added, is that of another operation. */
  creates: string | undefined;
}

const kindOf = (operation: Operation, name: string): string | undefined => {
  if (!operation.params) return undefined;
  const kind = fieldsOf(fieldsOf(inputSchemaOf(operation.params)['properties'])[name])['x-refers-to'];
  return typeof kind === 'string' ? kind : undefined;
};

function makeRule(operation: Operation): TargetRule {
  const { method, path } = methodAndPath(operation);
  const params = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => {
    const kind = kindOf(operation, name);
    return kind ? [{ name, kind }] : [];
  });
  const below = new RegExp(`^${path.replaceAll(/[{}]/g, '\\$&')}/\\{(\\w+)\\}$`);
  const creates =
    method === 'POST'
      ? operations
          .flatMap((other) => {
            const name = below.exec(methodAndPath(other).path)?.[1];
            return (name && kindOf(other, name)) || [];
          })
          .at(0)
      : undefined;
  return { params, creates };
}

const rules = new Map<string, TargetRule>();
function ruleOf(operation: Operation): TargetRule {
  const rule = rules.get(operation.id) ?? makeRule(operation);
  rules.set(operation.id, rule);
  return rule;
}

/** What a caller sends as an id may be any text. */
const isId = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value);

/** The records that a path names, from the outermost to the innermost, without the workspace around them. */
export function targetsInPath(operation: Operation, params: unknown): Target[] {
  const values = fieldsOf(params);
  const named = ruleOf(operation).params.flatMap(({ name, kind }) => {
    const id = values[name];
    return isId(id) ? [{ kind, id: id.toLowerCase() }] : [];
  });
  const [first, ...rest] = named;
  return first?.kind === 'workspace' && rest.length ? rest : named;
}

/** The record that an operation has created, by its result. */
export function createdTarget(operation: Operation, result: unknown): Target | undefined {
  const { creates } = ruleOf(operation);
  const { id } = fieldsOf(result);
  return creates && isId(id) ? { kind: creates, id } : undefined;
}
