import * as z from 'zod';
import { jsonSchemaProblem } from '../schema/check-json-schema.ts';
import { refuse, scalar } from '../schema/scalar.ts';
import * as s from '../schema/schema.ts';
import { isReservedName } from '../settings/tools/reserved-tool-names.ts';

const mostTools = 128;
const mostCharacters = 200_000;

const wrong = (error: string) => refuse('value_error', `Value error, ${error}`, { error });

/** Tool names that every provider accepts. */
const pattern = /^[A-Za-z0-9_-]{1,64}$/;
const name = s.str({ pattern });

/** A client's tool must not have the name of a tool of the platform. */
const ownName = scalar<string>({ type: 'string', pattern: pattern.source }, (input) => {
  if (typeof input !== 'string') return refuse('string_type', 'Input should be a valid string');
  if (!pattern.test(input)) return wrong('a name has 1 to 64 letters, digits, underscores and dashes');
  return isReservedName(input) ? wrong(`"${input}" is a name that tools of the platform have; choose another`) : input;
});

type Schema = Record<string, unknown>;
/** What is wrong with a schema that a client gives. Providers take objects only, not `true` and `false`. */
const problemOf = (input: unknown) =>
  typeof input === 'boolean' ? 'it should be an object' : jsonSchemaProblem(input);

const jsonSchema = scalar<Schema>({ type: 'object', additionalProperties: true }, (input) => {
  const problem = problemOf(input);
  return problem ? wrong(`this is no JSON Schema: ${problem}`) : (input as Schema);
});

/** A JSON Schema of arguments, which are always an object. */
const parameters = scalar<Schema>({ type: 'object', additionalProperties: true }, (input) => {
  const problem = problemOf(input);
  if (problem) return wrong(`this is no JSON Schema: ${problem}`);
  const { type = 'object', ...rest } = input as Schema;
  return type === 'object' ? { ...rest, type } : wrong('arguments should be of the type object');
});

const clientTool = z.looseObject({
  type: s.oneOf(['function']).describe('Always `function`.'),
  function: z
    .looseObject({
      name: ownName.describe('The name of the tool: 1 to 64 letters, digits, underscores and dashes.'),
      description: s.optional(s.str({ max: 8000 })).describe('What the tool does, for the model.'),
      parameters: s.optional(parameters).describe('The JSON Schema of the arguments; none unless given.'),
      strict: s.optional(s.bool()).describe('Whether the provider enforces the schema, where it can.'),
    })
    .describe('The tool.'),
});

export const clientTools = s.list(clientTool, { max: mostTools }).superRefine((tools, context) => {
  const refusing = (path: (string | number)[], error: string) =>
    context.addIssue({
      code: 'custom',
      path,
      params: { refusal: { type: 'value_error', msg: `Value error, ${error}`, ctx: { error } } },
    });
  const names = tools.map((tool) => tool.function.name.toLowerCase().replaceAll('-', '_'));
  for (const [index, own] of names.entries())
    if (names.indexOf(own) < index) refusing([index, 'function', 'name'], 'two tools have this name');
  if (JSON.stringify(tools).length > mostCharacters)
    refusing([], `all tools together should have at most ${mostCharacters} characters`);
});

type Choice = 'none' | 'auto' | 'required' | { tool: string };
const words = ['none', 'auto', 'required'] as const;
const choiceJson = {
  anyOf: [
    { type: 'string', enum: [...words] },
    {
      type: 'object',
      required: ['type', 'function'],
      properties: {
        type: { type: 'string', enum: ['function'], description: 'Always `function`.' },
        function: {
          type: 'object',
          required: ['name'],
          properties: { name: { type: 'string', description: 'The tool that the model has to call.' } },
          description: 'The tool to call.',
        },
      },
    },
  ],
};

/** Chooses among the client's tools; a caller can't force a call of the agent's own. */
export const toolChoice = scalar<Choice>(choiceJson, (input) => {
  const word = words.find((accepted) => accepted === input);
  if (word) return word;
  const { type, function: named } = (input ?? {}) as { type?: unknown; function?: { name?: unknown } };
  const tool = type === 'function' ? named?.name : undefined;
  if (typeof tool === 'string') return { tool };
  return wrong("it should be 'none', 'auto', 'required' or {type: 'function', function: {name}}");
});

export const responseFormat = z
  .looseObject({
    type: s
      .oneOf(['text', 'json_object', 'json_schema'])
      .describe('Text, any JSON object, or JSON that follows `json_schema`.'),
    json_schema: s
      .optional(
        z.looseObject({
          name: name.describe('A name for the schema.'),
          schema: s.optional(jsonSchema).describe('The JSON Schema of the answer.'),
          strict: s.optional(s.bool()).describe('Accepted because clients send it; the schema always applies.'),
        }),
      )
      .describe('The schema; needed with the type `json_schema`.'),
  })
  .superRefine(({ type, json_schema }, context) => {
    if (type === 'json_schema' && !json_schema)
      context.addIssue({
        code: 'custom',
        path: ['json_schema'],
        params: { refusal: { type: 'missing', msg: 'Field required' } },
      });
  });
