import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as z from 'zod';
import { operations } from '../src/operations.ts';

interface Schema {
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  enum?: unknown[];
  type?: string;
  [key: string]: unknown;
}

/** Fields that end in `_by` and name no actor. */
const others = new Map([
  ['AgentAsModel.owned_by', 'the workspace of an agent, as the protocol of completions names it'],
  ['Table.used_by', 'the agents and workflows that use a table'],
]);

/** Whether the field has `{id, name, kind}` itself. */
const namesActor = (schema: Schema): boolean =>
  ['id', 'name', 'kind'].every((name) => schema.properties?.[name]) || (schema.anyOf?.some(namesActor) ?? false);
const isEnum = (schema: Schema): boolean => schema.enum !== undefined || (schema.anyOf?.some(isEnum) ?? false);

function fieldsWithoutActor(schema: Schema, name: string): string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([field, value]) => {
    const isActor = /_by$/.test(field) && !namesActor(value) && !isEnum(value) && !others.has(`${name}.${field}`);
    return isActor && !schema.properties?.[`${field}_actor`] ? [`${name}.${field}`] : [];
  });
  const below = Object.entries(schema).flatMap(([key, value]) => {
    if (value === null || typeof value !== 'object') return [];
    if (key === '$defs' || key === 'properties')
      return Object.entries(value as Record<string, Schema>).flatMap(([part, inner]) =>
        fieldsWithoutActor(inner, key === '$defs' ? part : name),
      );
    return (Array.isArray(value) ? value : [value]).flatMap((inner) =>
      inner !== null && typeof inner === 'object' ? fieldsWithoutActor(inner as Schema, name) : [],
    );
  });
  return [...own, ...below];
}

const schemaOf = (answer: z.ZodType) => z.toJSONSchema(answer, { io: 'output', unrepresentable: 'any' }) as Schema;

test('every answer with the id of an actor in a `*_by` field has the actor beside it', () => {
  const missing = operations.flatMap(({ id, answer }) => fieldsWithoutActor(schemaOf(answer), id));
  assert.deepEqual([...new Set(missing)], []);
});

test('conversations name who created them beside api_key_id', () => {
  // Other records, such as budgets, name a key that they are about.
  const ofConversations = operations.filter(({ id }) => id.startsWith('conversations.'));
  const naming = ofConversations.filter(({ answer }) => JSON.stringify(schemaOf(answer)).includes('"api_key_id"'));
  assert.ok(naming.length > 4);
  for (const { id, answer } of naming) assert.match(JSON.stringify(schemaOf(answer)), /"created_by_actor"/, id);
});

test('the walk finds a field without its actor', () => {
  const bare = z.strictObject({ items: z.array(z.strictObject({ closed_by: z.guid().nullable() })) });
  assert.deepEqual(fieldsWithoutActor(schemaOf(bare), 'x'), ['x.closed_by']);
});
