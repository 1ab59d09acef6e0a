import type * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { entries } from '../entries.ts';
import { onlyIf, type SettingText } from '../key.ts';
import { behaviour, capability } from '../setting-class.ts';
import { whenEntriesAreFewer, whenToolsAreFewer } from '../strictness/stricter-entries.ts';
import { type Strictness, whenFewerAndNotEmpty } from '../strictness/strictness.ts';
import { toolEntry } from '../tools/tool-entries.ts';
import { inPrompt, inPromptWhenOn } from './agent-content.ts';

type EntryOf<N extends keyof typeof entries> = z.output<(typeof entries)[N]>;

const listSchema = <N extends keyof typeof entries>(name: N) =>
  s.list(entries[name], { max: 1000 }) as unknown as z.ZodType<EntryOf<N>[], z.input<(typeof entries)[N]>[]>;

function listOf<N extends keyof typeof entries>(name: N, text: SettingText) {
  const stricter = whenEntriesAreFewer as Strictness<EntryOf<N>[]>;
  return capability({ ...text, schema: listSchema(name), fallback: [] as EntryOf<N>[], stricter });
}

/** The same for lists that are words in a prompt: none is stricter than another. */
const promptListOf = <N extends keyof typeof entries>(name: N, text: SettingText) =>
  behaviour({ ...text, schema: listSchema(name), fallback: [] as EntryOf<N>[] });

export const variablesInPrompt = {
  test: 'variables that are listed and turned on are filled into the prompt, and no others',
};

/** The tools, data and other agents that an agent can use. */
export const agentResources = {
  tools: capability({
    label: 'Tools',
    help: 'Tools by type, with their own settings. An entry of a built-in type also changes that built-in tool.',
    section: 'Tools',
    control: 'tool_list',
    schema: s.list(toolEntry, { max: 1000 }),
    fallback: [],
    stricter: whenToolsAreFewer,
    evidence: { test: 'an entry of tools overrides the base tool of its type and is returned as sent' },
  }),
  mcp_servers: listOf('mcp_servers', {
    label: 'MCP servers',
    help: 'Servers of the Model Context Protocol whose tools the agent can call.',
    section: 'Tools',
    evidence: { test: 'mcp_servers: an agent uses the reference server over Streamable HTTP' },
  }),
  skills: listOf('skills', {
    label: 'Skills',
    help: 'Instructions with files that the agent loads when it needs them. The prompt names only the skill.',
    section: 'Tools',
    evidence: { test: 'skills are listed by name, and their instructions and files are loaded on demand' },
  }),
  subagents: listOf('subagents', {
    label: 'Subagents',
    help: 'Agents that this agent can give a task to; each works in a fresh context.',
    section: 'Team of agents',
    control: 'reference_list',
    shownWhen: onlyIf('subagents_enabled', true),
    evidence: { test: 'subagents get a task in a fresh context, and only when they are enabled' },
  }),
  guidelines: promptListOf('guidelines', {
    label: 'Guidelines',
    help: 'Rules of the form "when this happens, do that", as a section of the system prompt.',
    section: 'Instructions',
    shownWhen: onlyIf('guidelines_enabled', true),
    evidence: inPromptWhenOn,
  }),
  glossary: promptListOf('glossary', {
    label: 'Glossary',
    help: 'Terms and their meaning, as a section of the system prompt.',
    section: 'Instructions',
    evidence: inPrompt,
  }),
  memories: promptListOf('memories', {
    label: 'Memories',
    help: 'Facts that the agent always knows, as a section of the system prompt.',
    section: 'Instructions',
    evidence: inPrompt,
  }),
  workflows: listOf('workflows', {
    label: 'Workflows',
    help: 'Workflows that the agent can run as tools.',
    section: 'Tools',
    control: 'reference_list',
    evidence: {
      test: 'offers workflows as tools of an agent, and shows their progress in the reply',
    },
  }),
  knowledge_bases: listOf('knowledge_bases', {
    label: 'Knowledge bases',
    help: 'Knowledge bases that the agent searches for its answers.',
    section: 'Knowledge and data',
    control: 'reference_list',
    evidence: { test: 'an agent answers from its knowledge bases and shows where it stands' },
  }),
  agent_files: listOf('agent_files', {
    label: 'Files',
    help: 'Files that the agent can read in every conversation.',
    section: 'Knowledge and data',
    control: 'reference_list',
    evidence: { test: 'agent_files are files that the agent may read' },
  }),
  databases: listOf('databases', {
    label: 'Databases',
    help: 'PostgreSQL databases that the agent can query; read-only unless the entry allows writing.',
    section: 'Knowledge and data',
    evidence: { test: 'an agent queries a database and changes it only where the entry allows writing' },
  }),
  tables: listOf('tables', {
    label: 'Tables',
    help: 'Tables that the agent can read; it writes only where the entry allows it.',
    section: 'Knowledge and data',
    control: 'reference_list',
    evidence: { test: 'an agent reads the tables its settings name, and writes only where the entry allows it' },
  }),
  coworkers: listOf('coworkers', {
    label: 'Co-workers',
    help: 'Agents that this agent can ask; each keeps a conversation of its own that goes on.',
    section: 'Team of agents',
    control: 'reference_list',
    evidence: { test: 'coworkers are agents that can be asked, in conversations of their own that go on' },
  }),
  actions: listOf('actions', {
    label: 'Actions',
    help: 'HTTP requests that the agent can send as tools, with arguments and secrets filled in.',
    section: 'Tools',
    evidence: { test: 'sends the requests that settings describe, with arguments and secrets filled in' },
  }),
  chatflow_tools: capability({
    label: 'Tools of the flow',
    help: 'The types of tools that the flow of a conversation may call. Empty: all of them.',
    section: 'Flow',
    schema: s.list(s.str(), { max: 1000 }),
    fallback: [],
    shownWhen: onlyIf('agentflow_enabled', true),
    stricter: whenFewerAndNotEmpty,
    evidence: { test: 'chatflow_tools says which types of tools the flow of a conversation may call' },
  }),
  variables: listOf('variables', {
    label: 'Variables',
    help: 'Variables of the workspace that the agent can use as `{{name}}`. Values of secrets never enter a prompt.',
    section: 'Knowledge and data',
    control: 'reference_list',
    shownWhen: onlyIf('variables_enabled', true),
    evidence: variablesInPrompt,
  }),
  insights_custom_definitions: promptListOf('insights_custom_definitions', {
    label: 'Own questions',
    help: 'Questions that a model answers about each ended conversation; insights add the answers up.',
    section: 'Insights',
    shownWhen: onlyIf('insights_enabled', true),
    evidence: { test: 'insights_custom_definitions are asked of each conversation, and their answers added up' },
  }),
};
