import * as s from '../schema/schema.ts';
import { behaviour, capability, presentation } from './setting-class.ts';
import { whenFewer, whenLater, whenLower, whenOff, whenOn } from './strictness.ts';

const seconds = () => s.int({ ge: 1, le: 86_400 });
const count = () => s.int({ ge: 1, le: 1_000_000_000 });

const picked = { test: 'auto_model_pick chooses by auto_model_preference and records the choice' };
const sent = { test: 'the numbers of a conversation are what the provider is sent' };
const effort = { test: 'reasoning is asked for with its effort, and not at all when it is off' };

export const model = {
  auto_model_pick: behaviour(s.bool(), false, 'Picks among the configured models', picked),
  auto_model_preference: behaviour(s.oneOf(['cost', 'speed', 'quality']), 'cost', 'What the pick goes by', picked),
  model: behaviour(
    s.list(s.str({ min: 1 }), { min: 1 }),
    ['preset:cost'],
    'Tried in order; preset:NAME expands to its list',
    { test: 'models are tried in the order of the setting' },
    whenFewer,
  ),
  parameter_preset: presentation(
    s.oneOf(['default', 'precise', 'balanced', 'creative']),
    'default',
    'default uses the numbers below, the others replace them',
    { test: 'a parameter_preset replaces the sampling numbers and nothing else' },
  ),
  max_tokens: behaviour(count(), 64_000, 'Most tokens of a reply', sent, whenLower),
  temperature: presentation(s.number({ ge: 0, le: 2 }), 0.7, 'Sampling temperature', sent),
  top_p: presentation(s.number({ ge: 0, le: 1 }), 1, 'Nucleus sampling', sent),
  top_k: presentation(s.int({ ge: 0, le: 1_000_000 }), 40, 'Sampling among the k likeliest', {
    test: 'top_k goes to a provider that takes it; with another it is left out with a warning',
  }),
  timeout: behaviour(
    seconds(),
    120,
    'Seconds for one model call',
    {
      test: 'timeout is the seconds one model call may take',
    },
    whenLower,
  ),
  presence_penalty: presentation(s.number({ ge: -2, le: 2 }), 0.3, 'Penalty on what was already said', sent),
  frequency_penalty: presentation(s.number({ ge: -2, le: 2 }), 0.6, 'Penalty on what is said often', sent),
  stop_sequences: presentation(s.list(s.str(), { max: 1000 }), [], 'Texts that end a reply', sent),
  enable_reasoning: behaviour(s.bool(), true, 'The model may think before it answers', effort, whenOff),
  reasoning_effort: behaviour(
    s.oneOf(['Low', 'Medium', 'High']),
    'Low',
    'How much',
    effort,
    whenLater('High', 'Medium', 'Low'),
  ),
  max_retries_per_model: behaviour(
    s.int({ ge: 0, le: 20 }),
    3,
    'Retries before the next model',
    {
      test: 'max_retries_per_model is how often one model is tried again before the next',
    },
    whenLower,
  ),
  retry_on_status_codes: behaviour(
    s.list(s.int({ ge: 100, le: 599 }), { max: 500 }),
    [429, 500, 502, 503, 504],
    'Answers of a provider that are retried',
    { test: 'retry_on_status_codes says which answers are tried again' },
  ),
  datacenter_fallback: behaviour(
    s.bool(),
    true,
    "A provider's next address is tried before the next model",
    {
      test: 'datacenter_fallback tries the next address before the next model; without it only the first',
    },
    whenOff,
  ),
  exclude_user_identity_from_prompt: behaviour(
    s.bool(),
    false,
    'The prompt says nothing of who the user is',
    {
      test: 'exclude_user_identity_from_prompt keeps who and where out of the prompt',
    },
    whenOn,
  ),
  enable_prompt_caching: behaviour(s.bool(), true, 'Cache markers where the provider has them', {
    test: 'enable_prompt_caching marks the instructions and the newest message for the cache',
  }),
  protect_instructions_in_preview: behaviour(
    s.bool(),
    false,
    'A preview conversation returns the prompt settings empty',
    {
      test: 'a protected preview returns the prompt group empty',
    },
    whenOn,
  ),
  agentflow_enabled: capability(s.bool(), false, 'A flow drives the conversation', {
    test: 'a flow drives the conversation when agentflow_enabled is set',
  }),
  usage_limits_maximum_request: behaviour(
    count(),
    1000,
    'Model calls in a run',
    {
      test: 'usage_limits_maximum_request is the most model calls of a run; the next one is not made',
    },
    whenLower,
  ),
  usage_limits_maximum_tokens: behaviour(
    count(),
    2_000_000,
    'Tokens in a conversation',
    {
      test: 'usage_limits_maximum_tokens grants a call no more than is left',
    },
    whenLower,
  ),
  usage_limits_max_messages: behaviour(
    count(),
    100,
    'Messages in a conversation',
    {
      test: 'usage_limits_max_messages refuses the next message with 409 and stores nothing of it',
    },
    whenLower,
  ),
  usage_limits_agent_timeout: behaviour(
    seconds(),
    120,
    'Seconds for a run',
    {
      test: 'usage_limits_agent_timeout ends the run, whatever is still to try',
    },
    whenLower,
  ),
  compaction_enabled: behaviour(s.bool(), true, 'Old turns are condensed when the context fills', {
    test: 'with compaction_enabled off a conversation that is too long fails before the provider is asked',
  }),
  compaction_strategy: behaviour(s.oneOf(['auto', 'summarize', 'truncate']), 'auto', 'How', {
    test: 'compaction_strategy truncate leaves the oldest turns out without asking for a summary',
  }),
  compaction_threshold: behaviour(s.number({ gt: 0, le: 1 }), 0.75, 'At which part of the context window', {
    test: 'compaction_threshold says how early',
  }),
  compaction_tool_enabled: behaviour(s.bool(), false, 'The agent may ask for it', {
    test: 'compaction_tool_enabled lets the agent ask for it',
  }),
  parallel_tool_calls: behaviour(s.bool(), true, 'Tool calls of one step run side by side', {
    test: 'parallel_tool_calls runs the calls of a step side by side, or one after another',
  }),
  tool_timeout: behaviour(
    seconds(),
    15,
    'Seconds for one tool call',
    {
      test: 'tool_timeout ends a call; the model is told and goes on',
    },
    whenLower,
  ),
};
