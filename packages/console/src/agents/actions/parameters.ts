import { asBox, asList } from '../../forms/controls/control-props.ts';

/** The types that a row can have. */
export const parameterTypes = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
export type ParameterType = (typeof parameterTypes)[number];

/** One parameter of an action, as a row of the form. `more`: what the schema says of it besides. */
export interface Parameter {
  name: string;
  type: ParameterType;
  description: string;
  required: boolean;
  more: Readonly<Record<string, unknown>>;
}

const known = new Set(['type', 'properties', 'required', '$schema', 'additionalProperties']);
const isType = (type: unknown): type is ParameterType => parameterTypes.some((each) => each === type);

/** The rows of a JSON Schema; undefined for one that says more than rows can. No schema has no rows. */
export function parametersOf(schema: unknown): Parameter[] | undefined {
  if (schema === undefined || schema === null) return [];
  const { type = 'object', properties, required, ...rest } = asBox(schema);
  const isPlain = type === 'object' && Object.keys(rest).every((key) => known.has(key));
  if (!isPlain) return undefined;
  const needed = asList(required);
  const rows = Object.entries(asBox(properties)).map(([name, property]): Parameter | undefined => {
    const { type: own = 'string', description = '', ...more } = asBox(property);
    if (!isType(own) || typeof description !== 'string') return undefined;
    return { name, type: own, description, required: needed.includes(name), more };
  });
  return rows.every((row) => row !== undefined) ? rows : undefined;
}

/** The JSON Schema of rows, without those that have no name yet; undefined without any. */
export function schemaOf(rows: readonly Parameter[], before: unknown): Record<string, unknown> | undefined {
  const named = rows.filter(({ name }) => name !== '');
  if (named.length === 0) return undefined;
  const { additionalProperties } = asBox(before);
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, type, description, more }) => [name, { type, ...(description && { description }), ...more }]),
    ),
    required: named.filter(({ required }) => required).map(({ name }) => name),
    ...(additionalProperties !== undefined && { additionalProperties }),
  };
}

const place = /\{\{([^{}]{1,250})\}\}/g;

/** The parameters of an action: those of its schema, or else the places in its request, secrets aside. */
export function parametersToTry(action: Readonly<Record<string, unknown>>): Parameter[] {
  const { input_schema, url, headers, body } = action;
  if (input_schema !== undefined) return parametersOf(input_schema) ?? [];
  const text = JSON.stringify([url, headers, body]);
  const names = [...text.matchAll(place)].map(([, name = '']) => name.trim());
  return [...new Set(names)]
    .filter((name) => !name.startsWith('secret.'))
    .map((name) => ({ name, type: 'string', description: '', required: true, more: {} }));
}

/** What was typed as an example, as a value of its type. What can't be read is sent as it is, and the server says why. */
export function readExample(type: ParameterType, typed: string): unknown {
  if (type === 'string') return typed;
  if (type === 'boolean') return typed === 'true' ? true : typed === 'false' ? false : typed;
  if (type === 'number' || type === 'integer') {
    const number = Number(typed);
    return typed.trim() !== '' && Number.isFinite(number) ? number : typed;
  }
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

/** A body as text to type in; data as JSON. */
export const bodyText = (body: unknown): string =>
  body === undefined || body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body, null, 2);

/** A typed body: data where it is JSON, otherwise the text. */
export function bodyOf(text: string): unknown {
  if (text.trim() === '') return undefined;
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // JSON with places outside of quotes is a text until they are filled.
    return text;
  }
}
