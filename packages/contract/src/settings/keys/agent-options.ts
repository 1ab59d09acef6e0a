import type * as z from 'zod';
import * as s from '../../schema/schema.ts';
import { onlyIf, onlyIfAll } from '../key.ts';
import { behaviour, type ClassedKey, capability, presentation } from '../setting-class.ts';
import { whenBaseToolsAreStricter } from '../strictness/stricter-entries.ts';
import { whenLater, whenOff } from '../strictness/strictness.ts';
import { baseTools } from '../tools/base-tools.ts';
import { baseToolOverrides } from '../tools/tool-entries.ts';
import { inPrompt, inPromptWhenOn, orNone } from './agent-content.ts';
import { variablesInPrompt } from './agent-resources.ts';

const toolEvidence = {
  test: 'with insights_csat_agent_tool_enabled the agent notes satisfaction, when its instructions say',
};
const judgeEvidence = {
  test: 'with insights_csat_auto_enabled a judge estimates satisfaction, from insights_csat_auto_min_messages on',
};
const isMeasured = { insights_enabled: true, insights_csat_enabled: true };

/** Switches of the content and the resources, insights, and the built-in tools. */
export const agentOptions = {
  workflows_parallel_enabled: capability({
    label: 'Run workflows in parallel',
    help: 'Workflow tools run at the same time. Off: they take turns.',
    section: 'Tools',
    schema: s.bool(),
    fallback: false,
    stricter: whenOff,
    evidence: { test: 'workflows_parallel_enabled runs workflow tools side by side, else they take turns' },
  }),
  subagents_enabled: capability({
    label: 'Use subagents',
    help: 'Offers the listed subagents to the agent.',
    section: 'Team of agents',
    schema: s.bool(),
    fallback: false,
    stricter: whenOff,
    evidence: { test: 'subagents get a task in a fresh context, and only when they are enabled' },
  }),
  guidelines_enabled: behaviour({
    label: 'Use guidelines',
    help: 'Adds the guidelines to the system prompt.',
    section: 'Instructions',
    schema: s.bool(),
    fallback: false,
    evidence: inPromptWhenOn,
  }),
  variables_enabled: capability({
    label: 'Use variables',
    help: 'Fills the listed variables into the prompt and into tool calls.',
    section: 'Knowledge and data',
    schema: s.bool(),
    fallback: false,
    stricter: whenOff,
    evidence: variablesInPrompt,
  }),
  multi_kb_search: capability({
    label: 'Search all knowledge bases at once',
    help: 'The agent gets one search over all of its knowledge bases. Off: one search for each.',
    section: 'Knowledge and data',
    schema: s.bool(),
    fallback: false,
    evidence: { test: 'multi_kb_search is one search over all knowledge bases of the agent' },
  }),
  citation_instructions_enabled: behaviour({
    label: 'Use citation instructions',
    help: 'Adds the citation instructions to the system prompt.',
    section: 'Instructions',
    schema: s.bool(),
    fallback: false,
    evidence: inPromptWhenOn,
  }),
  convert_unsupported_files_to_text: behaviour({
    label: 'Convert files to text',
    help: 'A file that the model can not read is converted to text. Off: a message with such a file is refused.',
    section: 'Knowledge and data',
    schema: s.bool(),
    fallback: true,
    evidence: { test: 'a file the model can not take is refused by name when files are not converted' },
  }),
  hidden_tools: presentation({
    label: 'Hidden tools',
    help: 'Names of tools whose calls are not shown. The agent can still use them.',
    section: 'Tools',
    schema: s.list(s.str(), { max: 1000 }),
    fallback: [
      ...['todos_read_todos', 'todos_add_todo', 'todos_write_todos'],
      ...['todos_update_todo_status', 'todos_remove_todo'],
    ],
    shownWhen: onlyIfAll({
      tool_display_preset: ['execution', 'minimal'],
      chain_of_thought_final_answer_only: false,
    }),
    evidence: { test: 'calls of hidden_tools are not shown' },
  }),
  deployment_custom_instructions: behaviour({
    label: 'Deployment instructions',
    help: 'Instructions for the place where the agent is used. A deployment replaces them with its own in its conversations.',
    section: 'Instructions',
    control: 'long_text',
    schema: orNone(s.str()),
    fallback: null,
    evidence: inPrompt,
  }),
  insights_enabled: behaviour({
    label: 'Insights',
    help: 'Ended conversations are sorted into topics, and the questions below are answered about them.',
    section: 'Insights',
    schema: s.bool(),
    fallback: false,
    evidence: { test: 'only ended conversations of agents with insights_enabled get topics' },
  }),
  insights_csat_enabled: behaviour({
    label: 'Measure satisfaction',
    help: 'Feedback of users counts as their satisfaction with the conversation.',
    section: 'Insights',
    schema: s.bool(),
    fallback: false,
    shownWhen: onlyIf('insights_enabled', true),
    evidence: {
      test: 'counts given, changed and withdrawn feedback as satisfaction when insights_csat_enabled is set',
    },
  }),
  insights_csat_agent_tool_enabled: behaviour({
    label: 'The agent notes satisfaction',
    help: 'Gives the agent a tool to note how satisfied the user is.',
    section: 'Insights',
    schema: s.bool(),
    fallback: false,
    shownWhen: onlyIfAll(isMeasured),
    evidence: toolEvidence,
  }),
  insights_csat_auto_enabled: behaviour({
    label: 'A model estimates satisfaction',
    help: 'A model reads ended conversations and estimates how satisfied the user was.',
    section: 'Insights',
    schema: s.bool(),
    fallback: false,
    shownWhen: onlyIfAll(isMeasured),
    evidence: judgeEvidence,
  }),
  insights_csat_sampling_rate: behaviour({
    label: 'Measured part',
    help: 'The part of the conversations in which the agent or a model notes satisfaction: 1 is all, 0.1 every tenth.',
    section: 'Insights',
    schema: s.number({ ge: 0, le: 1 }),
    fallback: 1,
    shownWhen: onlyIfAll(isMeasured),
    evidence: {
      test: 'insights_csat_sampling_rate is the part of conversations that is measured, always the same ones',
    },
  }),
  insights_csat_agent_tool_instructions: behaviour({
    label: 'When the agent notes it',
    help: 'Tells the agent when to note satisfaction, as part of the description of its tool.',
    section: 'Insights',
    control: 'long_text',
    schema: s.str(),
    fallback: '',
    shownWhen: onlyIfAll({ ...isMeasured, insights_csat_agent_tool_enabled: true }),
    evidence: toolEvidence,
  }),
  insights_csat_auto_min_messages: behaviour({
    label: 'Messages before an estimate',
    help: 'Conversations with fewer messages are not estimated.',
    section: 'Insights',
    unit: 'messages',
    schema: s.int({ ge: 0, le: 1_000_000 }),
    fallback: 2,
    shownWhen: onlyIfAll({ ...isMeasured, insights_csat_auto_enabled: true }),
    evidence: judgeEvidence,
  }),
  tool_grant_scope: capability({
    label: 'Permissions of tools',
    help: 'Whose permissions tool calls use: those of the workspace, or those of the user for whom the run acts.',
    section: 'Tools',
    schema: s.oneOf(['workspace', 'user']),
    fallback: 'workspace',
    options: { workspace: 'Of the workspace', user: 'Of the user' },
    stricter: whenLater('workspace', 'user'),
    evidence: {
      test: 'tool_grant_scope selects whose grants count: those of the workspace or of the user the run acts for',
    },
  }),
  base_tools: capability({
    label: 'Built-in tools',
    help: 'The ten built-in tools with their settings. Changes are merged by `type`; the other tools stay as they are.',
    section: 'Tools',
    control: 'tool_list',
    schema: baseToolOverrides,
    fallback: [],
    documented: baseTools,
    stricter: whenBaseToolsAreStricter,
    evidence: { test: 'base_tools merges by type and keeps the tools that are not named' },
  }) as ClassedKey<z.output<typeof baseToolOverrides>>,
};
