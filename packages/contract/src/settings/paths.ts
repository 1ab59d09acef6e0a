import { type SettingName, settingKeys } from './settings.ts';

/**
 * The ways in which an agent is asked. `conversation`: a message to its own conversation. `flow`: a message to a conversation
 * that the agent's flow drives. `subagent`: a task from another agent. `completions`: `POST /v1/chat/completions`.
 */
export const settingPaths = ['conversation', 'flow', 'subagent', 'completions'] as const;
export type SettingPath = (typeof settingPaths)[number];

/** Why a setting has no effect in one of them. */
export type NoEffect = { readonly [path in SettingPath]?: string };

const ownNodes = { flow: 'The nodes of a flow have their own model, instructions and tools.' };
const noParts = { flow: 'The nodes of a flow add no reasoning, tool calls or sources to the reply.' };
const onlyFlows = {
  conversation: 'Only a flow has it.',
  subagent: 'Only a flow has it.',
  completions: 'Only a flow has it.',
};
const choosesFlow = { flow: 'It selects this path.' };
const withoutFooter = { subagent: 'The asking agent gets the reply without it.' };
const ownName = {
  subagent: 'The conversation of a task has the name of the task.',
  completions: 'The conversation has its last question as its name.',
};
const people = (where: string) => ({ flow: where, subagent: where, completions: where });
const channelOnly = people('It is for channels.');
const insights = people('Insights are computed from stored conversations of people.');
const notOnFlows = (...names: SettingName[]) => Object.fromEntries(names.map((name) => [name, ownNodes]));
const each = (reason: NoEffect, ...names: SettingName[]) => Object.fromEntries(names.map((name) => [name, reason]));

const exceptions: Partial<Record<SettingName, NoEffect>> = {
  ...notOnFlows('model', 'auto_model_pick', 'auto_model_preference', 'parameter_preset', 'max_tokens', 'temperature'),
  ...notOnFlows('top_p', 'top_k', 'timeout', 'presence_penalty', 'frequency_penalty', 'stop_sequences'),
  ...notOnFlows('enable_reasoning', 'reasoning_effort', 'max_retries_per_model', 'retry_on_status_codes'),
  ...notOnFlows('datacenter_fallback', 'exclude_user_identity_from_prompt', 'enable_prompt_caching'),
  ...notOnFlows('compaction_enabled', 'compaction_strategy', 'compaction_threshold', 'compaction_tool_enabled'),
  ...notOnFlows('parallel_tool_calls', 'tool_timeout', 'prompt_defense', 'languages', 'default_language', 'persona'),
  ...notOnFlows('tone', 'extra_instructions', 'deployment_custom_instructions', 'citation_instructions'),
  ...notOnFlows('citation_instructions_enabled', 'guidelines', 'guidelines_enabled', 'glossary', 'memories'),
  ...notOnFlows(
    'variables',
    'variables_enabled',
    'skills',
    'base_tools',
    'tools',
    'knowledge_bases',
    'multi_kb_search',
  ),
  ...notOnFlows('tables', 'workflows', 'coworkers', 'subagents', 'subagents_enabled', 'actions', 'databases'),
  ...notOnFlows('mcp_servers', 'agent_files', 'workflows_parallel_enabled', 'tool_grant_scope', 'egress_approval'),
  ...each(noParts, 'hide_reasoning', 'group_into_chain_of_thought', 'chain_of_thought_final_answer_only'),
  ...each(noParts, 'tool_display_preset', 'minimal_caret_only', 'minimal_tool_message', 'hidden_tools'),
  ...each(noParts, 'citation_style', 'deduplicate_sources_by_url', 'omit_citation_quotes', 'show_source_images'),
  ...each(noParts, 'transport_show_tool_calls', 'transport_show_sources', 'transport_show_thinking'),
  ...each(onlyFlows, 'hide_state_transitions', 'chatflow_tools'),
  ...each(choosesFlow, 'agentflow_enabled', 'agent_flow_id'),
  ...each(withoutFooter, 'message_footer_enabled', 'message_footer'),
  ...each(ownName, 'agent_title_mode', 'agent_title_prompt'),
  ...each(channelOnly, 'transport_allow_noop', 'transport_thinking_text', 'chat_input_placeholder'),
  ...each(insights, 'insights_custom_definitions', 'insights_enabled', 'insights_csat_enabled'),
  ...each(insights, 'insights_csat_agent_tool_enabled', 'insights_csat_auto_enabled', 'insights_csat_sampling_rate'),
  ...each(insights, 'insights_csat_agent_tool_instructions', 'insights_csat_auto_min_messages'),
  guardrails_output_mode: {
    flow: 'A flow shows its reply when it is complete.',
    subagent: 'The asking agent gets the reply when it is complete.',
  },
  four_eyes: { completions: 'A completion that would wait for a person is stopped.' },
  pii_allow: { subagent: 'Only words that the asking agent allows as well count.' },
  usage_limits_max_messages: { subagent: 'Each task is a new conversation.' },
  hide_workflow_progress: {
    subagent: 'The asking agent gets the reply alone.',
    completions: 'The protocol has no place for it.',
  },
  convert_unsupported_files_to_text: {
    flow: ownNodes.flow,
    subagent: 'A task has no attached files.',
    completions: 'Files of this protocol are images and texts.',
  },
};

/** For each path null where the setting has its effect, else why it has none. Layout and client keys are stored only. */
export function noEffectOf(name: SettingName): Record<SettingPath, string | null> {
  const kept = typeof settingKeys[name].evidence === 'string' ? 'It is stored and returned.' : null;
  const at = (path: SettingPath) => kept ?? exceptions[name]?.[path] ?? null;
  return {
    conversation: at('conversation'),
    flow: at('flow'),
    subagent: at('subagent'),
    completions: at('completions'),
  };
}

/** Settings whose effect is seen in a channel, in insights or in a file: the test that they name shows it. */
export const settingsShownByTheirTest: ReadonlySet<SettingName> = new Set([
  ...(['chat_input_placeholder', 'transport_allow_noop', 'transport_thinking_text'] as const),
  ...(['show_source_images', 'convert_unsupported_files_to_text', 'chatflow_tools'] as const),
  ...(['insights_custom_definitions', 'insights_enabled', 'insights_csat_enabled'] as const),
  ...(['insights_csat_agent_tool_enabled', 'insights_csat_auto_enabled', 'insights_csat_sampling_rate'] as const),
  ...(['insights_csat_agent_tool_instructions', 'insights_csat_auto_min_messages'] as const),
]);
