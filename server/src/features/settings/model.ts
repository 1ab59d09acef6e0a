import * as s from '../../lib/schema/schema.ts';
import { key } from './key.ts';

const seconds = () => s.int({ ge: 1, le: 86_400 });
const count = () => s.int({ ge: 1, le: 1_000_000_000 });

export const model = {
  auto_model_pick: key(s.bool(), false, 'Picks among the configured models'),
  auto_model_preference: key(s.oneOf(['cost', 'speed', 'quality']), 'cost', 'What the pick goes by'),
  model: key(s.list(s.str({ min: 1 }), { min: 1 }), ['preset:cost'], 'Tried in order; preset:NAME expands to its list'),
  parameter_preset: key(
    s.oneOf(['default', 'precise', 'balanced', 'creative']),
    'default',
    'default uses the numbers below, the others replace them',
  ),
  max_tokens: key(count(), 64_000, 'Most tokens of a reply'),
  temperature: key(s.number({ ge: 0, le: 2 }), 0.7, 'Sampling temperature'),
  top_p: key(s.number({ ge: 0, le: 1 }), 1, 'Nucleus sampling'),
  top_k: key(s.int({ ge: 0, le: 1_000_000 }), 40, 'Sampling among the k likeliest'),
  timeout: key(seconds(), 120, 'Seconds for one model call'),
  presence_penalty: key(s.number({ ge: -2, le: 2 }), 0.3, 'Penalty on what was already said'),
  frequency_penalty: key(s.number({ ge: -2, le: 2 }), 0.6, 'Penalty on what is said often'),
  stop_sequences: key(s.list(s.str(), { max: 1000 }), [], 'Texts that end a reply'),
  enable_reasoning: key(s.bool(), true, 'The model may think before it answers'),
  reasoning_effort: key(s.oneOf(['Low', 'Medium', 'High']), 'Low', 'How much'),
  max_retries_per_model: key(s.int({ ge: 0, le: 20 }), 3, 'Retries before the next model'),
  retry_on_status_codes: key(
    s.list(s.int({ ge: 100, le: 599 }), { max: 500 }),
    [429, 500, 502, 503, 504],
    'Answers of a provider that are retried',
  ),
  datacenter_fallback: key(s.bool(), true, "A provider's next address is tried before the next model"),
  exclude_user_identity_from_prompt: key(s.bool(), false, 'The prompt says nothing of who the user is'),
  enable_prompt_caching: key(s.bool(), true, 'Cache markers where the provider has them'),
  protect_instructions_in_preview: key(s.bool(), false, 'A preview conversation returns the prompt settings empty', {
    test: 'a protected preview returns the prompt group empty',
  }),
  agentflow_enabled: key(s.bool(), false, 'A flow drives the conversation'),
  usage_limits_maximum_request: key(count(), 1000, 'Model calls in a run'),
  usage_limits_maximum_tokens: key(count(), 2_000_000, 'Tokens in a conversation'),
  usage_limits_max_messages: key(count(), 100, 'Messages in a conversation'),
  usage_limits_agent_timeout: key(seconds(), 120, 'Seconds for a run'),
  compaction_enabled: key(s.bool(), true, 'Old turns are condensed when the context fills'),
  compaction_strategy: key(s.oneOf(['auto', 'summarize', 'truncate']), 'auto', 'How'),
  compaction_threshold: key(s.number({ gt: 0, le: 1 }), 0.75, 'At which part of the context window'),
  compaction_tool_enabled: key(s.bool(), false, 'The agent may ask for it'),
  parallel_tool_calls: key(s.bool(), true, 'Tool calls of one step run side by side'),
  tool_timeout: key(seconds(), 15, 'Seconds for one tool call'),
};
