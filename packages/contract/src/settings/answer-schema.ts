import * as z from 'zod';
import { type JsonSchema, jsonSchemaOf } from '../schema/json-schema.ts';
import { documentationOf, type SettingKey } from './key.ts';
import { type Settings, settingKeys } from './settings.ts';

/**
 * The type of a value as answers carry it, from the JSON Schema of what is sent. Bounds are left out: they hold for what
 * is sent now, and stored values may be older.
 */
function answerFrom(json: JsonSchema): z.ZodType {
  const { type, anyOf, enum: values, items, properties, additionalProperties } = json;
  if (Array.isArray(anyOf)) return z.union((anyOf as JsonSchema[]).map(answerFrom));
  if (Array.isArray(values)) return z.enum(values as string[]);
  if (type === 'string') return z.string();
  if (type === 'boolean') return z.boolean();
  if (type === 'integer') return z.int();
  if (type === 'number') return z.number();
  if (type === 'array') return z.array(answerFrom((items ?? {}) as JsonSchema));
  if (type !== 'object') return z.unknown();
  if (!properties) return z.record(z.string(), answerFrom((additionalProperties || {}) as JsonSchema));
  return objectFrom(json);
}

function objectFrom(json: JsonSchema): z.ZodType {
  const required = (json['required'] ?? []) as string[];
  const shape = Object.fromEntries(
    Object.entries(json['properties'] as Record<string, JsonSchema>).map(([name, field]) => {
      const schema = answerFrom(field).describe(String(field['description'] ?? ''));
      return [name, required.includes(name) ? schema : schema.optional()];
    }),
  );
  return json['additionalProperties'] === false ? z.strictObject(shape) : z.looseObject(shape);
}

/** The value of a key in answers; a key without a default may be null. */
export function answerOf(key: SettingKey): z.ZodType {
  const { schema, answer, fallback } = key;
  const value = answer ?? answerFrom(jsonSchemaOf(schema, 'input'));
  return (fallback === null ? value.nullable() : value).meta(documentationOf(key));
}

const allKeys = () =>
  z.strictObject(Object.fromEntries(Object.entries(settingKeys).map(([name, key]) => [name, answerOf(key)])));

/** Settings in answers: every key is there. Made when it is first read, since a start does not. */
export const settingsAnswer = z.lazy(allKeys).meta({ id: 'Settings' }) as unknown as z.ZodType<Settings>;
