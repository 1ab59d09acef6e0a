import { folded, termsOf } from '../../../lib/text/terms.ts';
import type { ModelTool } from '../driver.ts';
import type { ToolHints } from '../tool-hints.ts';

type Schema = Record<string, unknown>;
const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const questionNames =
  /^(?:query|queries|question|q|search|search_query|text|input|prompt|message|request|task|content|title|description|topic|term|keywords?)$/;
const isPattern = (name: string) => /^(?:pattern|regex|glob|substring)$/.test(name);

export function inputPropertiesOf({ input_schema }: ModelTool): [name: string, schema: Schema, required: boolean][] {
  const { properties, required } = input_schema;
  if (!isObject(properties)) return [];
  const needed = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties).map(([name, schema]) => [name, isObject(schema) ? schema : {}, needed.has(name)]);
}

const typeOf = ({ type, anyOf }: Schema): string => {
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return String(type.find((one) => one !== 'null'));
  const first = Array.isArray(anyOf) ? anyOf.find((one) => isObject(one) && one['type'] !== 'null') : undefined;
  return isObject(first) ? typeOf(first) : 'string';
};

/** Whether a property takes a question in plain words; this model can't write SQL or other languages. */
const takesQuestion = (name: string, schema: Schema) =>
  questionNames.test(name) &&
  ['string', 'array'].includes(typeOf(schema)) &&
  !/\bSQL\b|regular expression/i.test(String(schema['description'] ?? ''));

export const isAskable = (tool: ModelTool) =>
  inputPropertiesOf(tool).some(([name, schema]) => takesQuestion(name, schema) || isPattern(name));

/** The user may write the input outright: as JSON, or as lines of `name: value`. */
function writtenInput(tool: ModelTool, text: string): Schema {
  const json = /^\s*\{[\s\S]*\}\s*$/.test(text) ? text : undefined;
  try {
    const value: unknown = json && JSON.parse(json);
    if (isObject(value)) return value;
  } catch {
    // Braces without valid JSON are plain text.
  }
  const written: Schema = {};
  for (const [name, schema] of inputPropertiesOf(tool)) {
    const key = folded(name);
    const line = text.split('\n').find(
      (one) =>
        /^[\w ]{1,60}[:=]/.test(one) &&
        folded(one.split(/[:=]/, 1)[0] ?? '')
          .trim()
          .replaceAll(' ', '_') === key,
    );
    const value = line?.slice(line.search(/[:=]/) + 1).trim();
    if (value) written[name] = asType(value, typeOf(schema));
  }
  return written;
}

function asType(value: string, type: string): unknown {
  if ((type === 'number' || type === 'integer') && Number.isFinite(Number(value))) return Number(value);
  if (type === 'boolean') return /^(?:true|yes|1|on)$/i.test(value);
  return type === 'array' ? [value] : value;
}

/** A value for a property that must have one. The question is the best guess for words; numbers are taken from it. */
function guess(schema: Schema, question: string): unknown {
  if ('default' in schema) return schema['default'];
  if ('const' in schema) return schema['const'];
  const choices = schema['enum'];
  if (Array.isArray(choices)) {
    const words = new Set(termsOf(question));
    return choices.find((one) => termsOf(String(one)).some((term) => words.has(term))) ?? choices[0];
  }
  const type = typeOf(schema);
  if (type === 'number' || type === 'integer')
    return Number(/-?\d+(?:\.\d+)?/.exec(question)?.[0] ?? schema['minimum'] ?? 1);
  if (type === 'boolean') return false;
  if (type === 'array') return [question];
  return type === 'object' ? {} : question;
}

/** The input of a tool, filled in from the question. Optional properties that it says nothing about are left out. */
export function inputFor(tool: ModelTool, question: string, hints: ToolHints = {}): Record<string, unknown> {
  const input = writtenInput(tool, question);
  for (const [name, schema, required] of inputPropertiesOf(tool)) {
    if (name in input) continue;
    const list = typeOf(schema) === 'array';
    const id = /^(?:kb|knowledge_base)_ids?$/.test(name)
      ? hints.kb_id
      : /^workflow_ids?$/.test(name)
        ? hints.workflow_id
        : undefined;
    if (id) input[name] = list ? [id] : id;
    else if (takesQuestion(name, schema)) input[name] = list ? [question] : question;
    // A pattern finds letters, so the longest word has the best chance.
    else if (isPattern(name))
      input[name] = (question.match(/[\p{L}\p{N}]+/gu) ?? []).reduce(
        (long, one) => (one.length > long.length ? one : long),
        '',
      );
    else if (required) input[name] = guess(schema, question);
  }
  return input;
}
