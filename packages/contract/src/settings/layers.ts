import { guardrailKeys } from './keys/safety.ts';
import type { SettingName } from './settings.ts';

/**
 * The places that can give a setting its value, from the lowest to the highest. `agent`: the definition of the agent's
 * version. `conversation`: the settings sent with a conversation. `deployment`: the deployment that started the
 * conversation. `message`: one message alone. `parent`: the conversation that started this one as a flow, subagent,
 * co-worker or workflow tool; it only makes values stricter.
 */
export const settingLayers = ['agent', 'conversation', 'deployment', 'message', 'parent'] as const;
export type SettingLayer = (typeof settingLayers)[number];

/** The keys that bind a conversation's flows, subagents, co-workers and workflow tools: privacy, safety and limits. */
export const inheritedKeys = [
  'pii_anonimization',
  'pii_allow',
  ...guardrailKeys,
  'block_after_violations',
  'exclude_user_identity_from_prompt',
  'four_eyes',
  'egress_approval',
  'allowed_hosts',
  'usage_limits_maximum_request',
  'usage_limits_maximum_tokens',
  'usage_limits_agent_timeout',
] as const satisfies readonly SettingName[];

/** Deployments set `custom_instructions`, messages `model_selection`. */
const others: Partial<Record<SettingName, SettingLayer>> = {
  deployment_custom_instructions: 'deployment',
  model: 'message',
};

export const layersOf = (name: SettingName): SettingLayer[] => [
  'agent',
  'conversation',
  ...(others[name] ? [others[name]] : []),
  ...(inheritedKeys.some((key) => key === name) ? (['parent'] as const) : []),
];
