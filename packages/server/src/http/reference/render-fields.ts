import { escapeMarkup } from '../../lib/text/escape-html.ts';
import type { ReferenceSchema } from './openapi-types.ts';

export const schemaName = (schema: ReferenceSchema) => schema.$ref?.split('/').at(-1);
const link = (name: string) => `<a href="#schema-${name}">${name}</a>`;
const alternatives = (schema: ReferenceSchema) => schema.anyOf ?? schema.oneOf ?? schema.allOf;

/** The type of a value in a few words; named schemas are links. */
export function renderType(schema: ReferenceSchema): string {
  const name = schemaName(schema);
  if (name) return link(name);
  if (schema.const !== undefined) return escapeMarkup(JSON.stringify(schema.const));
  const choices = alternatives(schema);
  if (choices) return [...new Set(choices.map(renderType))].join(' or ');
  if (schema.items) return `list of ${renderType(schema.items)}`;
  const types = [schema.type ?? 'any'].flat();
  return escapeMarkup(types.map((type) => (schema.format ? `${type} (${schema.format})` : type)).join(' or '));
}

const limits: [keyof ReferenceSchema, string][] = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'at least this many characters:'],
  ['maxLength', 'characters at most:'],
  ['minItems', 'entries at least:'],
  ['maxItems', 'entries at most:'],
];

/** Values, default and limits of a field. */
function renderBounds(schema: ReferenceSchema): string {
  const notes = limits.flatMap(([key, words]) =>
    // Every whole number of JSON ends there, so such a limit says nothing of the field.
    schema[key] === undefined || Math.abs(Number(schema[key])) === Number.MAX_SAFE_INTEGER
      ? []
      : [`${words} ${schema[key]}`],
  );
  if (schema.enum)
    notes.unshift(`one of ${schema.enum.map((value) => `<code>${escapeMarkup(String(value))}</code>`).join(', ')}`);
  const text = schema.default === undefined ? undefined : JSON.stringify(schema.default);
  if (text !== undefined && text.length <= 200) notes.push(`default <code>${escapeMarkup(text)}</code>`);
  return notes.length ? `<span class="bounds">${notes.join('; ')}</span>` : '';
}

/** Descriptions are plain text with `code` in backticks. */
export const renderText = (text: string) => escapeMarkup(text).replace(/`([^`]+)`/g, '<code>$1</code>');

interface Field {
  name: string;
  schema: ReferenceSchema;
  required: boolean;
}

/** The fields of an inline object or of the objects in an inline list; those of a named schema are shown once, elsewhere. */
function inlineFields(schema: ReferenceSchema): Field[] {
  if (schema.$ref) return [];
  if (schema.properties)
    return Object.entries(schema.properties).map(([name, field]) => ({
      name,
      schema: field,
      required: schema.required?.includes(name) ?? false,
    }));
  const inner = [schema.items, ...(alternatives(schema) ?? [])].filter((part) => part !== undefined);
  return inner.flatMap(inlineFields);
}

function renderRow({ name, schema, required }: Field, prefix: string): string {
  const rows = inlineFields(schema).map((field) => renderRow(field, `${prefix}${name}.`));
  const cells = [
    `<td><code>${escapeMarkup(prefix + name)}</code>${required ? ' <span class="required">required</span>' : ''}</td>`,
    `<td>${renderType(schema)}</td>`,
    `<td>${renderText(schema.description ?? '')} ${renderBounds(schema)}</td>`,
  ];
  return `<tr>${cells.join('')}</tr>${rows.join('')}`;
}

/** A table of fields; nested ones have their path before their name. */
export function renderFields(fields: readonly Field[]): string {
  if (!fields.length) return '';
  const rows = fields.map((field) => renderRow(field, '')).join('\n');
  return `<table><thead><tr><th>Field</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** A schema as its fields, or as its type where it has none. */
export function renderSchema(schema: ReferenceSchema): string {
  const table = renderFields(inlineFields(schema));
  return table || `<p>${renderType(schema)}${schema.description ? `: ${renderText(schema.description)}` : ''}</p>`;
}

/** The names of the schemas that a schema refers to, at any depth. */
export function collectNames(
  schema: unknown,
  named: Readonly<Record<string, ReferenceSchema>>,
  names: Set<string>,
): Set<string> {
  if (typeof schema !== 'object' || schema === null) return names;
  const name = schemaName(schema);
  if (typeof name === 'string') {
    if (names.has(name)) return names;
    names.add(name);
    return collectNames(named[name], named, names);
  }
  for (const part of Object.values(schema)) collectNames(part, named, names);
  return names;
}
