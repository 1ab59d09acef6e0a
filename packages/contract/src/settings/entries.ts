import { z } from 'zod';
import { jsonSchemaOf } from '../schema/json-schema.ts';
import * as s from '../schema/schema.ts';

/** What an entry of a settings list can refer to. */
export type ReferenceKind = 'knowledge_base' | 'workflow' | 'agent' | 'table' | 'variable' | 'file';

const name = s.str({ min: 1, max: 200 });
/** `operator:NAME` is a server that the operator's own file describes; settings can name a program but never hold one. */
const mcpUrl = s.str({ pattern: /^(?:https?:\/\/\S+|operator:[\w.-]{1,100})$/ });
const textMap = z.record(z.string(), s.str());

/** Entries keep keys we do not know: a newer client must not lose data. */
const open = <S extends z.ZodRawShape>(shape: S) => z.looseObject(shape);

/** An id, or an object that holds it and more; returned in the form it came. */
function reference<S extends z.ZodRawShape>(extra: S) {
  const full = open({ id: s.str({ min: 1 }), enabled: s.optional(s.bool()), ...extra });
  const schema = z.transform((input: unknown, context) => {
    if (typeof input === 'string') return input;
    const parsed = full.safeParse(input);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.issues.push(issue as z.core.$ZodRawIssue);
    return z.NEVER;
  });
  Object.assign(schema._zod.def, { json: { anyOf: [{ type: 'string' }, jsonSchemaOf(full, 'input')] } });
  return schema as unknown as z.ZodType<string | z.output<typeof full>>;
}

const coworker = reference({
  name: s.optional(name),
  description: s.optional(s.str()),
  max_turns: s.optional(s.int({ ge: 1, le: 1000 })),
});

export const entries = {
  knowledge_bases: reference({}),
  workflows: reference({ version_id: s.optional(s.str()), inputs_descriptions: s.optional(s.dict()) }),
  coworkers: coworker,
  subagents: coworker,
  tables: reference({ access: s.optional(s.oneOf(['read', 'write'])), trusted: s.optional(s.bool()) }),
  variables: reference({}),
  agent_files: reference({}),
  databases: open({
    ...{ name, dsn_variable: name, access: s.optional(s.oneOf(['read', 'write'])) },
    trusted: s.optional(s.bool()),
  }),
  mcp_servers: open({
    name,
    url: mcpUrl,
    headers: s.optional(textMap),
    allowed_tools: s.optional(s.list(s.str(), { max: 1000 })),
    tool_changes: s.optional(s.oneOf(['hold', 'accept'])),
  }),
  skills: open({
    name,
    description: s.optional(s.str()),
    instructions: s.str(),
    file_ids: s.optional(s.list(s.str(), { max: 1000 })),
    trusted: s.optional(s.bool()),
  }),
  actions: open({
    name,
    description: s.optional(s.str()),
    method: s.optional(s.oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])),
    url: s.str({ min: 1 }),
    headers: s.optional(textMap),
    body: s.optional(z.unknown()),
    input_schema: s.optional(s.dict()),
  }),
  guidelines: open({ condition: s.str(), action: s.str() }),
  glossary: open({ term: s.str({ min: 1 }), definition: s.str() }),
  memories: open({ text: s.str({ min: 1 }) }),
  insights_custom_definitions: open({
    name,
    question: s.str({ min: 1 }),
    type: s.withDefault(s.str({ min: 1 }), 'string'),
  }),
};

/** Lists whose entries refer to records of the workspace. */
export const referenceLists = {
  knowledge_bases: 'knowledge_base',
  workflows: 'workflow',
  coworkers: 'agent',
  subagents: 'agent',
  tables: 'table',
  variables: 'variable',
  agent_files: 'file',
} as const satisfies Record<string, ReferenceKind>;
