import * as z from 'zod';
import { describeAs, jsonSchemaOf } from '../schema/json-schema.ts';
import * as s from '../schema/schema.ts';
import { entryApprovers } from './tools/entry-approvers.ts';

/** The kinds of records that an entry of a settings list can refer to. */
export type ReferenceKind =
  | 'knowledge_base'
  | 'workflow'
  | 'agent'
  | 'table'
  | 'variable'
  | 'file'
  | 'person'
  | 'user_group';

const name = s.str({ min: 1, max: 200 });
/** `operator:NAME` is a server that the operator's own file describes; settings can name a program but never hold one. */
const mcpUrl = s.str({ pattern: /^(?:https?:\/\/\S+|operator:[\w.-]{1,100})$/ });
const textMap = z.record(z.string(), s.str());
const access = s
  .optional(s.oneOf(['read', 'write']))
  .describe('Whether the agent may only read, or also write; `read` unless given.');
const trusted = s
  .optional(s.bool())
  .describe(
    'Whether its content counts as trusted. Content that is not trusted taints the run. Setting it needs the permission to edit the record.',
  );

/** Entries keep unknown keys, so that a newer client loses no data. */
const open = <S extends z.ZodRawShape>(shape: S) => z.looseObject(shape);

/** An id, or an object that holds it and more; returned in the form it came. */
function reference<S extends z.ZodRawShape>(extra: S) {
  const full = open({
    id: s.str({ min: 1 }).describe('The id of the record.'),
    enabled: s.optional(s.bool()).describe('False keeps the entry without using it.'),
    ...extra,
  });
  const schema = z.transform((input: unknown, context) => {
    if (typeof input === 'string') return input;
    const parsed = full.safeParse(input);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) context.issues.push(issue as z.core.$ZodRawIssue);
    return z.NEVER;
  });
  describeAs(schema, () => ({ anyOf: [{ type: 'string' }, jsonSchemaOf(full, 'input')] }));
  return schema as unknown as z.ZodType<string | z.output<typeof full>, string | z.input<typeof full>>;
}

const coworker = reference({
  name: s.optional(name).describe('What the agent calls it; the name of the record unless given.'),
  description: s.optional(s.str()).describe('When to ask it, as the agent is told.'),
  max_turns: s.optional(s.int({ ge: 1, le: 1000 })).describe('The most turns that one exchange with it may have.'),
  ...entryApprovers,
});

export const entries = {
  knowledge_bases: reference({ trusted }),
  workflows: reference({
    version_id: s.optional(s.str()).describe('The version to run; the published one unless given.'),
    inputs_descriptions: s.optional(s.dict()).describe('What the agent is told about each input, by its name.'),
    ...entryApprovers,
  }),
  coworkers: coworker,
  subagents: coworker,
  tables: reference({ access, trusted, ...entryApprovers }),
  variables: reference({}),
  agent_files: reference({}),
  databases: open({
    name: name.describe('What the agent calls the database.'),
    dsn_variable: name.describe('The secret variable that holds the connection string.'),
    access,
    trusted,
    ...entryApprovers,
  }),
  mcp_servers: open({
    name: name.describe('What the server is called in the names of its tools.'),
    url: mcpUrl.describe('Its address, or `operator:NAME` for a program that the operator provides.'),
    headers: s.optional(textMap).describe('HTTP headers of each request, by name.'),
    allowed_tools: s
      .optional(s.list(s.str(), { max: 1000 }))
      .describe('The only tools that are offered. Without it, all tools of the server are.'),
    tool_changes: s
      .optional(s.oneOf(['hold', 'accept']))
      .describe(
        'What happens to a tool that the server has changed: `hold` waits for approval (the default), `accept` uses it.',
      ),
    trusted,
    ...entryApprovers,
  }),
  skills: open({
    name: name.describe('The name of the skill, which the prompt shows.'),
    description: s.optional(s.str()).describe('When the skill is useful, which the prompt shows.'),
    instructions: s.str().describe('The instructions that the agent loads.'),
    file_ids: s.optional(s.list(s.str(), { max: 1000 })).describe('Files that belong to the skill.'),
    trusted,
  }),
  actions: open({
    name: name.describe('The name of the tool; unique among the actions.'),
    description: s.optional(s.str()).describe('When to use it, as the agent is told.'),
    method: s.optional(s.oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])).describe('The HTTP method.'),
    url: s.str({ min: 1 }).describe('The address; `{{name}}` stands for an argument or a variable.'),
    headers: s.optional(textMap).describe('HTTP headers, by name.'),
    body: s.optional(z.unknown()).describe('The body: any JSON, or a text.'),
    input_schema: s.optional(s.dict()).describe('The JSON Schema of the arguments.'),
    trusted,
    requires_approval: s.optional(s.bool()).describe('Whether a person approves each request before it is sent.'),
    four_eyes: s.optional(s.bool()).describe('Whether a person or key that caused the request may not approve it.'),
    ...entryApprovers,
  }),
  guidelines: open({
    condition: s.str().describe('When the guideline applies.'),
    action: s.str().describe('What the agent then does.'),
  }),
  glossary: open({
    term: s.str({ min: 1 }).describe('The term.'),
    definition: s.str().describe('Its meaning.'),
  }),
  memories: open({ text: s.str({ min: 1 }).describe('What the agent always knows.') }),
  insights_custom_definitions: open({
    name: name.describe('What the answer is called in insights.'),
    question: s.str({ min: 1 }).describe('The question that is asked of each conversation.'),
    type: s
      .withDefault(s.str({ min: 1 }), 'string')
      .describe('The type of the answer: `string` (the default), `number` or `boolean`.'),
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
