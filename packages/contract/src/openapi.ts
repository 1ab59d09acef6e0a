import type * as z from 'zod';
import { etagMismatch, methodAndPath, type Operation, takesIfMatch } from './operation.ts';
import { type JsonSchema, jsonSchemaOf } from './schema/json-schema.ts';
import { scimError } from './scim/schema.ts';
import { scimMediaType } from './scim/urns.ts';

type Io = 'input' | 'output';

/** Named schemas become components; bodies and answers have their own, since defaults fill the answers. */
function componentMaker(components: Record<string, JsonSchema>) {
  const nameIn = (name: string, io: Io) => (io === 'input' ? `${name}Input` : name);

  function lift(json: unknown, io: Io): unknown {
    if (Array.isArray(json)) return json.map((item) => lift(item, io));
    if (typeof json !== 'object' || json === null) return json;
    const { $defs, id: _, ...rest } = json as JsonSchema;
    for (const [name, definition] of Object.entries(($defs as JsonSchema | undefined) ?? {}))
      components[nameIn(name, io)] = lift(definition, io) as JsonSchema;
    return Object.fromEntries(
      Object.entries(rest).map(([key, value]) =>
        key === '$ref' && typeof value === 'string'
          ? [key, `#/components/schemas/${nameIn(value.replace('#/$defs/', ''), io)}`]
          : // A property may itself be called id or $defs: only schema keywords are lifted.
            [key, key === 'properties' ? mapValues(value as JsonSchema, (inner) => lift(inner, io)) : lift(value, io)],
      ),
    );
  }

  return (schema: z.ZodType, io: Io): JsonSchema => {
    const json = lift(jsonSchemaOf(schema, io), io) as JsonSchema;
    const name = schema.meta()?.id;
    // A named schema may come as a reference to its own definition, which has just been lifted.
    if (name === undefined || '$ref' in json) return json;
    components[nameIn(name, io)] = json;
    return { $ref: `#/components/schemas/${nameIn(name, io)}` };
  };
}

const mapValues = (object: JsonSchema, map: (value: unknown) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));

const jsonContent = (schema: JsonSchema, example?: unknown, media = 'application/json') => ({
  [media]: example === undefined ? { schema } : { schema, example },
});

const bytes: JsonSchema = { type: 'string', format: 'binary' };

const mediaOf = ({ error_format }: Operation) => (error_format === 'scim' ? scimMediaType : undefined);

const answerContent = (route: Operation, component: (schema: z.ZodType, io: Io) => JsonSchema) =>
  route.content_type
    ? { [route.content_type]: { schema: bytes } }
    : jsonContent(component(route.answer, 'output'), undefined, mediaOf(route));

const formContent = ({ field, description, fields = {} }: NonNullable<Operation['upload']>) => ({
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: [field],
      properties: {
        [field]: { ...bytes, description },
        ...mapValues(fields, (text) => ({ type: 'string', description: text })),
      },
    },
  },
});

function parametersOf(schema: z.ZodType | undefined, where: 'path' | 'query'): JsonSchema[] {
  if (!schema) return [];
  const json = jsonSchemaOf(schema, 'input');
  const required = new Set(json['required'] as string[] | undefined);
  return Object.entries((json['properties'] as JsonSchema | undefined) ?? {}).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.has(name),
    schema: property,
  }));
}

const errorComponents: Record<string, JsonSchema> = {
  ScimError: jsonSchemaOf(scimError, 'output'),
  ValidationError: {
    type: 'object',
    required: ['loc', 'msg', 'type', 'input', 'ctx'],
    properties: {
      loc: {
        type: 'array',
        items: { type: 'string' },
        description: 'Where the value stands, from `body`, `query`, `path` or `header` inward.',
      },
      msg: { type: 'string', description: 'What is wrong with the value, in words.' },
      type: { type: 'string', description: 'The kind of error, for programs.' },
      input: { description: 'The value that was refused; secrets are replaced.' },
      ctx: { type: 'object', description: 'The figures that the message names, such as a limit.' },
    },
  },
  HTTPValidationError: {
    type: 'object',
    required: ['detail'],
    properties: {
      detail: {
        type: 'array',
        items: { $ref: '#/components/schemas/ValidationError' },
        description: 'Every error that was found in the request.',
      },
    },
  },
  Error: {
    type: 'object',
    required: ['detail', 'code'],
    properties: {
      detail: { type: 'string', description: 'What happened and what to do, in words.' },
      code: { type: 'string', description: 'The kind of error, for programs.' },
    },
  },
  CompletionError: {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        description: 'The error, in the form of the chat completions protocol.',
        required: ['message', 'type', 'param', 'code'],
        properties: {
          message: { type: 'string', description: 'What happened and what to do, in words.' },
          type: { type: 'string', description: 'The class of the error.' },
          param: { type: ['string', 'null'], description: 'The field of the request that is wrong, if it is one.' },
          code: { type: 'string', description: 'The kind of error, for programs.' },
        },
      },
    },
  },
};

const errorResponse = (description: string, schema: string, media?: string) => ({
  description,
  content: jsonContent({ $ref: `#/components/schemas/${schema}` }, undefined, media),
});

/** The errors of requests that are not valid, and of those that are refused. */
function refusals(route: Operation): Record<string, JsonSchema> {
  if (route.error_format === 'scim') return { '4XX': errorResponse('Refused', 'ScimError', scimMediaType) };
  return {
    422: errorResponse('The request is not valid', route.error_format ? 'CompletionError' : 'HTTPValidationError'),
    '4XX': errorResponse('Refused', route.error_format ? 'CompletionError' : 'Error'),
  };
}

/** The errors that an operation lists, by status, with their codes. */
function listedErrors(operation: Operation): Record<string, JsonSchema> {
  const { error_format, errors = takesIfMatch(operation) ? [etagMismatch] : [] } = operation;
  const statuses = [...new Set(errors.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => {
      const own = errors.filter((error) => error.status === status);
      const description = own.map(({ code, description: when }) => `\`${code}\`: ${when}`).join(' ');
      if (error_format) return [String(status), errorResponse(description, 'CompletionError')];
      const codes = [...new Set(own.map((error) => error.code))];
      const code = { type: 'string', enum: codes, description: 'The kind of error, for programs.' };
      const schema = { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code } }] };
      return [String(status), { description, content: jsonContent(schema) }];
    }),
  );
}

/** Headers that many operations take; described once. */
const headers = {
  WorkspaceId: [
    'X-Workspace-Id',
    'Another workspace to act in: any of the tenant for system keys, their own ones for people',
    { format: 'uuid' },
  ],
  IdempotencyKey: [
    'Idempotency-Key',
    'Kept for 24 hours: a repeated request gets the first answer',
    { maxLength: 255 },
  ],
  IfMatch: ['If-Match', 'The etag last seen; when there is a newer one the request is refused', {}],
  IfNoneMatch: ['If-None-Match', 'The ETag of the answer that the caller has already', {}],
} as const;

/** Operations that are called without an API key. */
const hasNoKey = ({ permission }: Operation) => permission === 'link' || permission === 'open';

function headersOf(route: Operation, method: string): JsonSchema[] {
  const names = [
    ...(hasNoKey(route) || route.permission === 'session' || route.permission === 'scim' ? [] : ['WorkspaceId']),
    ...(method === 'POST' && route.idempotency !== 'none' ? ['IdempotencyKey'] : []),
    ...(takesIfMatch(route) ? ['IfMatch'] : []),
    ...(route.catalogue ? ['IfNoneMatch'] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function whoMay({ permission }: Operation): string {
  if (permission === 'link') return 'No key: whoever has the link.';
  if (permission === 'open')
    return 'No key: what the request brings (a password, a token, a signature, an address) says who sends it.';
  if (permission === 'any') return 'Any valid key.';
  if (permission === 'scim') return 'A SCIM token; no API key and no session.';
  if (permission === 'session') return 'A person who is signed in; no key.';
  return `Needs the permission ${[permission]
    .flat()
    .map((name) => `\`${name}\``)
    .join(' or ')}.`;
}

/** The whole API as an OpenAPI 3.1 document, made from the list of operations. */
export function openApi(routes: readonly Operation[]): JsonSchema {
  const components: Record<string, JsonSchema> = { ...errorComponents };
  const component = componentMaker(components);
  const paths: Record<string, JsonSchema> = {};

  for (const route of routes) {
    const { method, path } = methodAndPath(route);
    const operation: JsonSchema = {
      operationId: route.id,
      summary: route.summary,
      tags: [route.tag],
      description: [route.description, whoMay(route)].filter(Boolean).join(' '),
      parameters: [
        ...parametersOf(route.params, 'path'),
        ...parametersOf(route.query, 'query'),
        ...headersOf(route, method),
      ],
      responses: {
        [route.status ?? 200]: {
          description: 'Success',
          ...(route.versioned && {
            headers: { ETag: { description: 'The version of the record', schema: { type: 'string' } } },
          }),
          ...(route.status !== 204 && { content: answerContent(route, component) }),
        },
        ...(route.catalogue && { 304: { description: 'The caller has this answer already' } }),
        ...listedErrors(route),
        ...refusals(route),
      },
    };
    if (hasNoKey(route)) operation['security'] = [];
    if (route.permission === 'scim') operation['security'] = [{ ScimToken: [] }];
    if (route.permission === 'session') operation['security'] = [{ SessionCookie: [] }];
    if (route.raw) operation['requestBody'] = { required: false, content: { '*/*': { schema: {} } } };
    if (route.upload) operation['requestBody'] = { required: true, content: formContent(route.upload) };
    if (route.body)
      operation['requestBody'] = {
        required: !route.body.safeParse({}).success,
        content: {
          ...jsonContent(component(route.body, 'input'), route.example, mediaOf(route)),
          ...(route.upload && formContent(route.upload)),
        },
      };
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  }

  return {
    openapi: '3.1.0',
    info: { title: 'Atrium', version: '1.1.0', description: 'The workspace agent platform.' },
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: mapValues(headers, (header) => {
        const [name, description, more] = header as [string, string, JsonSchema];
        return { name, in: 'header', required: false, description, schema: { type: 'string', ...more } };
      }),
      securitySchemes: {
        APIKeyHeader: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        SessionCookie: { type: 'apiKey', in: 'cookie', name: 'atrium_session' },
        ScimToken: { type: 'http', scheme: 'bearer' },
      },
    },
    security: [{ APIKeyHeader: [] }, { SessionCookie: [] }],
  };
}
