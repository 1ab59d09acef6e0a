import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveSettings, settingGroups, settingKeys } from '@atrium/contract/settings/settings.ts';
import { testApp } from '../../../test/support/test-app.ts';

const { call } = await testApp();

const off = { value: 'Off', context: '' };
const richText = [{ text: '', definition: { type: 'doc', content: [] } }];
const each = <T>(names: string, value: T) => Object.fromEntries(names.split(' ').map((name) => [name, value]));

/** The published document of this API, word for word. */
const safety = {
  ...each('pii_lock guardrail_lock guardrails_scan_output prompt_lock jailbreak prompt_injection context_leak', false),
  ...each('violence_and_hate sexual_content guns_and_weapons suicide crime toxicity bias profanity', off),
  ...each('guardrail_action_replace guardrail_action_human prompt_defense', ''),
  guardrails_output_mode: 'post_stream',
  guardrail_action: { value: 'fail', label: 'Fail/block run' },
  block_after_violations: 0,
  block_message: 'This conversation is locked due to repeated safety violations. Please start a new conversation.',
  pii_anonimization: [
    { value: 'PERSON', label: 'Person' },
    { value: 'EMAIL_ADDRESS', label: 'Email address' },
    { value: 'PHONE_NUMBER', label: 'Phone number' },
    { value: 'CREDIT_CARD', label: 'Credit card' },
  ],
};
const model = {
  ...each('auto_model_pick exclude_user_identity_from_prompt protect_instructions_in_preview', false),
  ...each('agentflow_enabled compaction_tool_enabled', false),
  ...each('enable_reasoning datacenter_fallback enable_prompt_caching compaction_enabled parallel_tool_calls', true),
  ...each('timeout usage_limits_agent_timeout', 120),
  auto_model_preference: 'cost',
  model: ['preset:cost'],
  parameter_preset: 'default',
  max_tokens: 64000,
  temperature: 0.7,
  top_p: 1,
  top_k: 40,
  presence_penalty: 0.3,
  frequency_penalty: 0.6,
  stop_sequences: [],
  reasoning_effort: 'Low',
  max_retries_per_model: 3,
  retry_on_status_codes: [429, 500, 502, 503, 504],
  usage_limits_maximum_request: 1000,
  usage_limits_maximum_tokens: 2000000,
  usage_limits_max_messages: 100,
  compaction_strategy: 'auto',
  compaction_threshold: 0.75,
  tool_timeout: 15,
};
const display = {
  ...each('hide_reasoning chain_of_thought_final_answer_only hide_workflow_progress message_footer_enabled', false),
  ...each('deduplicate_sources_by_url omit_citation_quotes show_source_images transport_show_tool_calls', false),
  ...each('transport_show_thinking transport_allow_noop hide_state_transitions', false),
  ...each('group_into_chain_of_thought hide_error_banners minimal_caret_only transport_show_sources', true),
  ...each('transport_thinking_text agent_title_prompt', ''),
  tool_display_preset: 'execution',
  message_footer: richText,
  minimal_tool_message: 'Thinking...',
  citation_style: 'text',
  chat_input_placeholder: 'Ask me anything...',
  agent_title_mode: 'generate',
  feedback_placeholder: 'Add details (optional)',
  feedback_submit_label: 'Submit',
  feedback_cancel_label: 'Cancel',
};
const capabilities = {
  ...each('agent_flow_id preset_selector default_language deployment_custom_instructions', null),
  ...each('persona tone extra_instructions citation_instructions', richText),
  ...each('tools mcp_servers skills subagents guidelines glossary memories workflows knowledge_bases agent_files', []),
  ...each('databases tables coworkers actions chatflow_tools variables insights_custom_definitions languages', []),
  ...each('workflows_parallel_enabled subagents_enabled guidelines_enabled variables_enabled multi_kb_search', false),
  ...each('citation_instructions_enabled insights_enabled insights_csat_enabled', false),
  ...each('insights_csat_agent_tool_enabled insights_csat_auto_enabled', false),
  capability_versions: {},
  is_coworker: true,
  convert_unsupported_files_to_text: true,
  hidden_tools: 'todos_read_todos todos_add_todo todos_write_todos todos_update_todo_status todos_remove_todo'.split(
    ' ',
  ),
  insights_csat_sampling_rate: 1,
  insights_csat_agent_tool_instructions: '',
  insights_csat_auto_min_messages: 2,
  tool_grant_scope: 'workspace',
};
const layout = each(
  'pii_banner pii_info divider1 guardrail_info guardrail_latency_banner divider2 divider3 divider_7 divider_8 divider ' +
    'divider_11 divider_visuals divider_conversation_title divider_13 intro basic_params_section penalty_section ' +
    'reasoning_section reliability_section usage_limits_section tool_calling_section visuals_section ' +
    'conversation_title_section feedback_section agentflow_section',
  '',
);
/** Keys that the published document does not have. */
const added = {
  ...{ pii_allow: [], four_eyes: false, allowed_hosts: [] },
  egress_approval: { mode: 'untrusted_only', reason: '' },
};
const parts: Record<string, Record<string, unknown>> = {
  safety: { ...safety, ...added },
  model,
  display,
  capabilities,
  layout,
};

test('settings that were not set are the 150 documented keys with exactly their defaults, and those that we add', async () => {
  const { json } = await call('POST', '/v1/conversations', {});
  const { base_tools, ...settings } = json.settings;
  assert.equal(base_tools.length, 10);
  assert.deepEqual(settings, { ...safety, ...model, ...display, ...capabilities, ...layout, ...added });
  assert.equal(Object.keys(json.settings).length - Object.keys(added).length, 150);
});

test('every key stands in the part that lists it', () => {
  for (const [name, keys] of Object.entries(settingGroups)) {
    const listed = Object.keys(parts[name] as object);
    if (name === 'capabilities') listed.push('base_tools');
    assert.deepEqual(Object.keys(keys).sort(), listed.sort(), name);
  }
});

test('the ten base tools have every documented field with its default', () => {
  const extra: Record<string, object> = {
    human_in_the_loop: { has_timeout: false, handover_message: 'You are now talking to the co-worker.' },
    files: {
      ...each('allow_html_graphs show_inline', true),
      ...each('custom_author_name enable_python_sandbox enable_formula_eval experimental', false),
      author_name: '',
    },
    filesystem: { enabled: true, visible: false },
    code_execution: { timeout: 60 },
    agent_memory: { visible: false },
    todos: { enable_subtasks: false },
  };
  const order =
    'human_in_the_loop web_research files memory filesystem code_execution agent_memory documentation todos image_generation';
  const tools = effectiveSettings().base_tools;
  assert.deepEqual(
    tools.map(({ type }) => type),
    order.split(' '),
  );
  for (const { title, description, icon, bg_color, icon_color, ...tool } of tools) {
    const { tool_display_icon, tool_display_message_start, tool_display_message_end, ...rest } = tool;
    const texts = [title, description, icon, bg_color, icon_color, tool_display_icon];
    for (const text of [...texts, tool_display_message_start, tool_display_message_end])
      assert.ok(typeof text === 'string' && text, `${tool.type} has an empty text`);
    assert.deepEqual(rest, {
      type: tool.type,
      category: 'QuickAction',
      enabled: false,
      visible: true,
      requires_approval: false,
      chatflow_usable: true,
      deprecated: false,
      ...extra[tool.type],
    });
  }
});

test('every default can be sent back and changes nothing', async () => {
  const { json } = await call('POST', '/v1/conversations', {});
  const { json: again, status } = await call('POST', '/v1/conversations', { settings: json.settings });
  assert.equal(status, 200);
  assert.deepEqual(again.settings, json.settings);
  assert.deepEqual(Object.keys(settingKeys).sort(), Object.keys(json.settings).sort());
});

test('returns layout strings and settings kept for clients as they were sent', async () => {
  const sent = {
    ...each(Object.keys(layout).join(' '), '<hr title="ä 😀">'),
    capability_versions: { todos: 2, nested: { deep: [1, null, 'x'] } },
    is_coworker: false,
    preset_selector: 'mine',
  };
  const { json } = await call('POST', '/v1/conversations', { settings: sent });
  for (const [name, value] of Object.entries(sent)) assert.deepEqual(json.settings[name], value, name);
});
