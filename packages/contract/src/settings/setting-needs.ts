import { guardrailCategories } from './keys/safety.ts';
import { plainOf } from './rich-text.ts';
import type { SettingName, Settings } from './settings.ts';
import { toolLists } from './tools/entry-approvers.ts';
import { findNamesWithoutAsking } from './tools/names-without-asking.ts';
import { isKnownToolName } from './tools/tool-names.ts';

/** Another setting that a setting needs to have an effect. */
interface Need {
  key: SettingName;
  /** The part of the setting that has no effect, where the rest of it has one. */
  part?: string | ((settings: Settings) => string | undefined);
  /** The other settings that it needs. */
  of: readonly SettingName[];
  isMet(settings: Settings): boolean;
  /** Why it has no effect otherwise. */
  why: string | ((settings: Settings) => string);
}

type Entry = string | { enabled?: unknown };
const isOn = (entry: Entry) => typeof entry === 'string' || entry.enabled !== false;
const countOn = (entries: readonly unknown[]) => (entries as readonly Entry[]).filter(isOn).length;
const countTools = ({ tools }: Settings, type: string) => countOn(tools.filter((tool) => tool.type === type));
/** Whether a built-in tool is on. */
export const isToolOn = ({ base_tools }: Settings, type: string) =>
  base_tools.some((tool) => tool.type === type && tool['enabled'] === true);

const baseTool = ({ base_tools }: Settings, type: string): Readonly<Record<string, unknown>> =>
  base_tools.find((tool) => tool.type === type) ?? {};
const unknownTools = (settings: Settings) => settings.hidden_tools.filter((name) => !isKnownToolName(settings, name));

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
/** A language by its code or its English name, without region: `de-CH`, `de` and `German` are the same. */
function languageOf(text: string): string {
  const folded = text.trim().toLowerCase();
  const [code = ''] = folded.split(/[-_]/);
  return (/^[a-z]{2,3}$/.test(code) && names.of(code)?.toLowerCase()) || folded;
}

const switched = ['jailbreak', 'prompt_injection', 'context_leak'] as const;
const isAnyGraded = (settings: Settings) => guardrailCategories.some((name) => settings[name].value !== 'Off');
const isAnyGuarded = (settings: Settings) => isAnyGraded(settings) || switched.some((name) => settings[name]);
const withoutGuardrail = 'no guardrail is on';

/** What settings need besides the conditions of their forms: a switch needs the thing that it switches on. */
export const settingNeeds: readonly Need[] = [
  {
    key: 'agentflow_enabled',
    of: ['agent_flow_id'],
    isMet: ({ agent_flow_id }) => Boolean(agent_flow_id),
    why: '`agent_flow_id` names no flow',
  },
  {
    key: 'agent_files',
    of: ['base_tools', 'tools'],
    isMet: (settings) =>
      ['filesystem', 'code_execution'].some((type) => isToolOn(settings, type)) || countTools(settings, 'sandbox') > 0,
    why: 'no tool that reads files is on: `filesystem`, `code_execution` or `sandbox`',
  },
  {
    key: 'model',
    of: ['auto_model_pick'],
    isMet: ({ auto_model_pick }) => !auto_model_pick,
    why: '`auto_model_pick` is on',
  },
  {
    key: 'subagents_enabled',
    of: ['subagents'],
    isMet: ({ subagents }) => countOn(subagents) > 0,
    why: '`subagents` is empty',
  },
  {
    key: 'guidelines_enabled',
    of: ['guidelines'],
    isMet: ({ guidelines }) => countOn(guidelines) > 0,
    why: '`guidelines` is empty',
  },
  {
    key: 'variables_enabled',
    of: ['variables'],
    isMet: ({ variables }) => countOn(variables) > 0,
    why: '`variables` is empty',
  },
  {
    key: 'citation_instructions_enabled',
    of: ['citation_instructions'],
    isMet: ({ citation_instructions }) => plainOf(citation_instructions) !== '',
    why: '`citation_instructions` is empty',
  },
  {
    key: 'message_footer_enabled',
    of: ['message_footer'],
    isMet: ({ message_footer }) => plainOf(message_footer) !== '',
    why: '`message_footer` is empty',
  },
  {
    key: 'multi_kb_search',
    of: ['knowledge_bases', 'tools'],
    isMet: (settings) => countOn(settings.knowledge_bases) + countTools(settings, 'kb_qa') > 1,
    why: 'the agent has fewer than two knowledge bases',
  },
  {
    key: 'workflows_parallel_enabled',
    of: ['workflows', 'tools'],
    isMet: (settings) => countOn(settings.workflows) + countTools(settings, 'workflow') > 0,
    why: 'the agent has no workflows',
  },
  {
    key: 'guardrails_scan_output',
    of: guardrailCategories,
    isMet: isAnyGraded,
    why: 'no category is on that replies are checked for',
  },
  {
    key: 'guardrails_output_mode',
    of: [...guardrailCategories, 'guardrails_scan_output', 'context_leak'],
    isMet: (settings) => settings.context_leak || (settings.guardrails_scan_output && isAnyGraded(settings)),
    why: 'replies are not checked',
  },
  { key: 'guardrail_action', of: [...guardrailCategories, ...switched], isMet: isAnyGuarded, why: withoutGuardrail },
  {
    key: 'block_after_violations',
    of: [...guardrailCategories, ...switched],
    isMet: isAnyGuarded,
    why: withoutGuardrail,
  },
  {
    key: 'guardrail_action',
    of: ['guardrail_action_replace'],
    isMet: (settings) =>
      settings.guardrail_action.value !== 'replace' ||
      settings.guardrail_action_replace.trim() !== '' ||
      !isAnyGuarded(settings),
    why: '`guardrail_action_replace` is empty: a refused reply is replaced by nothing',
  },
  {
    key: 'retry_on_status_codes',
    of: ['max_retries_per_model'],
    isMet: ({ max_retries_per_model }) => max_retries_per_model > 0,
    why: '`max_retries_per_model` is 0',
  },
  ...(['timeout', 'tool_timeout'] as const).map(
    (key): Need => ({
      key,
      of: ['usage_limits_agent_timeout'],
      isMet: (settings) => settings[key] <= settings.usage_limits_agent_timeout,
      why: '`usage_limits_agent_timeout` is shorter and ends the run before',
    }),
  ),
  {
    key: 'default_language',
    of: ['languages'],
    isMet: ({ default_language, languages }) =>
      !default_language ||
      languages.length === 0 ||
      languages.some((one) => languageOf(one) === languageOf(default_language)),
    why: '`languages` does not name it',
  },
  {
    key: 'hidden_tools',
    of: ['tools'],
    isMet: (settings) => unknownTools(settings).length === 0,
    why: (settings) => {
      const unknown = unknownTools(settings).map((name) => `\`${name}\``);
      return `there ${unknown.length > 1 ? 'are no tools' : 'is no tool'} ${unknown.join(', ')}; tools are named like \`todos_read_todos\``;
    },
  },
  {
    ...{ key: 'base_tools', part: 'files.author_name', of: ['tools'] },
    isMet: (settings) => {
      const { author_name, custom_author_name } = baseTool(settings, 'files');
      return !author_name || custom_author_name === true;
    },
    why: '`custom_author_name` of `files` is off',
  },
  {
    ...{ key: 'base_tools', part: 'human_in_the_loop.has_timeout', of: ['tools'] },
    isMet: (settings) => {
      const { has_timeout, timeout } = baseTool(settings, 'human_in_the_loop');
      return has_timeout !== true || Number(timeout) > 0;
    },
    why: '`timeout` of `human_in_the_loop` is not set',
  },
  ...toolLists.map(
    (key): Need => ({
      key,
      part: (settings) => findNamesWithoutAsking(settings, key),
      of: toolLists,
      isMet: (settings) => findNamesWithoutAsking(settings, key) === undefined,
      why: 'neither `requires_approval` nor `approval_rules` asks about its calls, but for those that the egress rule stops',
    }),
  ),
];
