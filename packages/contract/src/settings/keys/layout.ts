import * as s from '../../schema/schema.ts';
import { type ClassedKey, presentation } from '../setting-class.ts';

const labels = {
  pii_banner: 'Personal data banner',
  pii_info: 'Personal data note',
  divider1: 'Divider 1',
  guardrail_info: 'Guardrail note',
  guardrail_latency_banner: 'Guardrail latency banner',
  divider2: 'Divider 2',
  divider3: 'Divider 3',
  divider_7: 'Divider 7',
  divider_8: 'Divider 8',
  divider: 'Divider',
  divider_11: 'Divider 11',
  divider_visuals: 'Divider of the visuals',
  divider_conversation_title: 'Divider of the conversation title',
  divider_13: 'Divider 13',
  intro: 'Introduction',
  basic_params_section: 'Heading of the basic parameters',
  penalty_section: 'Heading of the penalties',
  reasoning_section: 'Heading of reasoning',
  reliability_section: 'Heading of reliability',
  usage_limits_section: 'Heading of the usage limits',
  tool_calling_section: 'Heading of tool calls',
  visuals_section: 'Heading of the visuals',
  conversation_title_section: 'Heading of the conversation title',
  feedback_section: 'Heading of feedback',
  agentflow_section: 'Heading of the flow',
} as const;

/** Strings that settings screens of older clients place between the settings: stored and returned, without an effect. */
export const layout = Object.fromEntries(
  Object.entries(labels).map(([name, label]) => [
    name,
    presentation({
      label,
      help: 'Text for the layout of a settings screen; stored and returned as it came.',
      section: 'Layout strings',
      control: 'none',
      schema: s.str(),
      fallback: '',
      evidence: 'layout',
    }),
  ]),
) as Record<keyof typeof labels, ClassedKey<string>>;
