import * as s from '../schema/schema.ts';
import { type ClassedKey, presentation } from './setting-class.ts';

const names = [
  'pii_banner',
  'pii_info',
  'divider1',
  'guardrail_info',
  'guardrail_latency_banner',
  'divider2',
  'divider3',
  'divider_7',
  'divider_8',
  'divider',
  'divider_11',
  'divider_visuals',
  'divider_conversation_title',
  'divider_13',
  'intro',
  'basic_params_section',
  'penalty_section',
  'reasoning_section',
  'reliability_section',
  'usage_limits_section',
  'tool_calling_section',
  'visuals_section',
  'conversation_title_section',
  'feedback_section',
  'agentflow_section',
] as const;

/** Strings that screens place between the settings. They do nothing and are never lost. */
export const layout = Object.fromEntries(
  names.map((name) => [name, presentation(s.str(), '', 'Layout of the settings screen', 'layout')]),
) as Record<(typeof names)[number], ClassedKey<string>>;
