import type { z } from 'zod';
import * as s from '../schema/schema.ts';
import { entries } from './entries.ts';
import type { Shown } from './key.ts';
import { emptyRichText, richText } from './rich-text.ts';
import { behaviour, type ClassedKey, capability, presentation } from './setting-class.ts';
import { whenBaseToolsAreStricter, whenEntriesAreFewer, whenToolsAreFewer } from './stricter-entries.ts';
import { type Strictness, whenFewerAndNotEmpty, whenLater, whenOff } from './strictness.ts';
import { baseToolOverrides, toolEntry } from './tool-entries.ts';

/** Keys whose default is "none" are null in answers; null on the way in says the same as leaving them out. */
const orNone = (schema: z.ZodType<string>) => schema as z.ZodType<string | null>;

function listOf<N extends keyof typeof entries>(name: N, effect: string, shown?: Shown) {
  type Entry = z.output<(typeof entries)[N]>;
  const schema = s.list(entries[name], { max: 1000 }) as unknown as z.ZodType<Entry[]>;
  return capability(schema, [] as Entry[], effect, shown, whenEntriesAreFewer as Strictness<Entry[]>);
}

/** The same of lists that are words in a prompt: none is stricter than another. */
function promptListOf<N extends keyof typeof entries>(name: N, effect: string, shown?: Shown) {
  type Entry = z.output<(typeof entries)[N]>;
  const schema = s.list(entries[name], { max: 1000 }) as unknown as z.ZodType<Entry[]>;
  return behaviour(schema, [] as Entry[], effect, shown);
}

const kept = 'kept for clients' as const;

const section = { test: 'the sections of the prompt stand in their order' };
const filled = { test: 'variables that are listed and turned on are filled into the prompt, and no others' };
const gated = { test: 'guidelines and citation instructions are in the prompt only when they are turned on' };

export const capabilities = {
  agent_flow_id: capability(orNone(s.str({ min: 1 })), null, 'The flow that drives the conversation', {
    test: 'a flow drives the conversation when agentflow_enabled is set',
  }),
  capability_versions: presentation(s.dict(), {}, 'For clients to keep', kept),
  is_coworker: presentation(s.bool(), true, 'For clients to keep', kept),
  preset_selector: presentation(orNone(s.str()), null, 'For clients to keep', kept),
  languages: presentation(s.list(s.str(), { max: 1000 }), [], 'Languages the agent answers in', section),
  default_language: presentation(orNone(s.str()), null, 'The language it starts in', section),
  persona: behaviour(richText(), emptyRichText(), 'Who the agent is: first section of the system prompt', section),
  tone: behaviour(richText(), emptyRichText(), 'How it speaks', section),
  extra_instructions: behaviour(richText(), emptyRichText(), 'What else it must know', section),
  citation_instructions: behaviour(richText(), emptyRichText(), 'How it cites', gated),
  tools: capability(
    s.list(toolEntry, { max: 1000 }),
    [],
    'Tools by type; an entry of a base type also overrides that base tool',
    {
      test: 'an entry of tools overrides the base tool of its type and is returned as sent',
    },
    whenToolsAreFewer,
  ),
  mcp_servers: listOf('mcp_servers', 'Tools of MCP servers', {
    test: 'mcp_servers: an agent uses a server that somebody else wrote, over Streamable HTTP',
  }),
  skills: listOf('skills', 'Instructions loaded on demand', {
    test: 'skills are told by name, and their instructions and files are loaded on demand',
  }),
  subagents: listOf('subagents', 'Agents it may delegate to', {
    test: 'subagents get a task in a fresh context, and only when they are enabled',
  }),
  guidelines: promptListOf('guidelines', 'When this, do that: section of the system prompt', gated),
  glossary: promptListOf('glossary', 'Terms: section of the system prompt', section),
  memories: promptListOf('memories', 'What it always remembers: section of the system prompt', section),
  workflows: listOf('workflows', 'Workflows as tools', {
    test: 'workflows are tools of an agent, with its inputs described, and the reply shows how far they came',
  }),
  knowledge_bases: listOf('knowledge_bases', 'Knowledge bases it searches', {
    test: 'an agent answers from its knowledge bases and shows where it stands',
  }),
  agent_files: listOf('agent_files', 'Files it may read', {
    test: 'agent_files are files that the agent may read',
  }),
  databases: listOf('databases', 'Outside databases it may query', {
    test: 'an agent queries a database and changes it only where the entry allows writing',
  }),
  tables: listOf('tables', 'Tables it may read, or write where the entry says so', {
    test: 'an agent reads the tables its settings name, and writes only where the entry says so',
  }),
  coworkers: listOf('coworkers', 'Agents it may ask', {
    test: 'coworkers are agents that can be asked, in conversations of their own that go on',
  }),
  actions: listOf('actions', 'HTTP requests as tools', {
    test: 'actions are requests that settings describe, with arguments and secrets in their places',
  }),
  chatflow_tools: capability(
    s.list(s.str(), { max: 1000 }),
    [],
    'Tool types an agent flow may use; empty: any',
    {
      test: 'chatflow_tools says which types of tools the flow of a conversation may call',
    },
    whenFewerAndNotEmpty,
  ),
  variables: listOf('variables', 'Workspace variables it may use', filled),
  insights_custom_definitions: promptListOf('insights_custom_definitions', 'Questions asked of each conversation', {
    test: 'insights_custom_definitions are asked of each conversation, and their answers added up',
  }),
  workflows_parallel_enabled: capability(
    s.bool(),
    false,
    'Workflow tools run side by side',
    {
      test: 'workflows_parallel_enabled runs workflow tools side by side, else they take turns',
    },
    whenOff,
  ),
  subagents_enabled: capability(
    s.bool(),
    false,
    'Subagents are offered',
    {
      test: 'subagents get a task in a fresh context, and only when they are enabled',
    },
    whenOff,
  ),
  guidelines_enabled: behaviour(s.bool(), false, 'Guidelines are in the prompt', gated),
  variables_enabled: capability(s.bool(), false, 'Variables are filled in', filled, whenOff),
  multi_kb_search: capability(s.bool(), false, 'One search over all knowledge bases', {
    test: 'multi_kb_search is one search over all knowledge bases of the agent',
  }),
  citation_instructions_enabled: behaviour(s.bool(), false, 'Citation instructions are in the prompt', gated),
  convert_unsupported_files_to_text: behaviour(s.bool(), true, 'A file the model can not take is converted', {
    test: 'a file the model can not take is refused by name when files are not converted',
  }),
  hidden_tools: presentation(
    s.list(s.str(), { max: 1000 }),
    ['todos_read_todos', 'todos_add_todo', 'todos_write_todos', 'todos_update_todo_status', 'todos_remove_todo'],
    'Tools whose calls are not shown',
    { test: 'calls of hidden_tools are not shown' },
  ),
  deployment_custom_instructions: behaviour(orNone(s.str()), null, 'Instructions of the deployment', section),
  insights_enabled: behaviour(s.bool(), false, 'Insights are computed', {
    test: 'only ended conversations of agents with insights_enabled get topics',
  }),
  insights_csat_enabled: behaviour(s.bool(), false, 'Satisfaction is measured', {
    test: 'feedback counts as satisfaction where insights_csat_enabled says so, changed and taken back',
  }),
  insights_csat_agent_tool_enabled: behaviour(s.bool(), false, 'The agent may ask for it', {
    test: 'with insights_csat_agent_tool_enabled the agent notes satisfaction, when its instructions say',
  }),
  insights_csat_auto_enabled: behaviour(s.bool(), false, 'A judge estimates it', {
    test: 'with insights_csat_auto_enabled a judge estimates satisfaction, from insights_csat_auto_min_messages on',
  }),
  insights_csat_sampling_rate: behaviour(s.number({ ge: 0, le: 1 }), 1, 'For which part of the conversations', {
    test: 'insights_csat_sampling_rate is the part of conversations that is measured, always the same ones',
  }),
  insights_csat_agent_tool_instructions: behaviour(s.str(), '', 'When the agent asks', {
    test: 'with insights_csat_agent_tool_enabled the agent notes satisfaction, when its instructions say',
  }),
  insights_csat_auto_min_messages: behaviour(s.int({ ge: 0, le: 1_000_000 }), 2, 'From how many messages on', {
    test: 'with insights_csat_auto_enabled a judge estimates satisfaction, from insights_csat_auto_min_messages on',
  }),
  tool_grant_scope: capability(
    s.oneOf(['workspace', 'user']),
    'workspace',
    'Whose grants a tool call uses',
    {
      test: 'tool_grant_scope says whose grants count: the workspace’s, or those of whoever the run acts for',
    },
    whenLater('workspace', 'user'),
  ),
  base_tools: capability(
    baseToolOverrides,
    [],
    'The ten built-in tools, merged by type',
    {
      test: 'base_tools merges by type and leaves the other tools alone',
    },
    whenBaseToolsAreStricter,
  ) as ClassedKey<z.output<typeof baseToolOverrides>>,
};
