import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Reply } from '../../../src/drivers/models/conformance-support.ts';
import { defineTool } from '../../../src/features/tools/service.ts';
import { aNode } from '../../../src/features/workflows/testing.ts';
import type { Experiments } from '../experiment.ts';
import { inInstructions, offered } from '../experiment.ts';
import type { Observation } from '../observe.ts';

/** A tool that takes a second and a half. */
export const slowTool = defineTool({
  ...{ tool: 'slow_wait', description: 'Waits', input: z.looseObject({}), output: z.string(), repeatable: true },
  run: async (_, __, signal) => {
    await sleep(1500, undefined, { signal });
    return 'waited';
  },
});
const callOf = (name: string, id = 'c1'): Reply => ({ tool_calls: [{ id, name, input: {} }] });
const late: Reply[] = [{ text: 'Late', delay_ms: 1500 }];
/** Picking considers every account with the model, so the reply says more than the requests of one provider. */
const modelOfReply = ({ stored }: Observation) => stored.messages.at(-1).metadata.model.split('/')[1];
/** About a thousand tokens. */
const long = (thing: string) => `${thing} `.repeat(4000 / (thing.length + 1));
/** Returns a thousand tokens. */
export const longTool = defineTool({
  ...{ tool: 'long_read', description: 'Reads', input: z.looseObject({}), output: z.string(), repeatable: true },
  run: async () => long('apples'),
});
/** A question whose tool results do not fit in the window of the small model. */
const filling = {
  given: async (_: unknown, account: string) => ({
    ...{ model: [`${account}/small`], max_tokens: 400, base_tools: [{ type: 'filesystem', enabled: false }] },
  }),
  replies: [callOf('long_read'), callOf('long_read', 'c2'), callOf('long_read', 'c3'), callOf('long_read', 'c4')],
};
const summaries = ({ sent }: { sent: unknown[] }) =>
  sent.filter((body) => JSON.stringify(body).includes('Summarize the conversation')).length;

/** Requests to providers: their content, number and limits. */
export const modelExperiments: Experiments = {
  model: {
    values: async (_, account) => [[`${account}/one`], [`${account}/two`]],
    look: ({ sent }) => sent[0]?.model,
    shows: ['one', 'two'],
  },
  auto_model_pick: {
    given: async (_, account) => ({ model: [`${account}/dear`, `${account}/cheap`], auto_model_preference: 'cost' }),
    values: [false, true],
    look: modelOfReply,
    shows: ['dear', 'cheap'],
  },
  auto_model_preference: {
    given: async (_, account) => ({ model: [`${account}/dear`, `${account}/cheap`], auto_model_pick: true }),
    values: ['cost', 'quality'],
    look: modelOfReply,
    shows: ['cheap', 'dear'],
  },
  parameter_preset: { values: ['default', 'precise'], look: ({ sent }) => sent[0]?.temperature, shows: [0.7, 0.1] },
  max_tokens: { values: [100, 200], look: ({ sent }) => sent[0]?.max_tokens, shows: [100, 200] },
  temperature: { values: [0.2, 0.3], look: ({ sent }) => sent[0]?.temperature, shows: [0.2, 0.3] },
  top_p: { values: [0.8, 0.9], look: ({ sent }) => sent[0]?.top_p, shows: [0.8, 0.9] },
  top_k: {
    values: [0, 7],
    look: ({ warnings }) => warnings,
    shows: [[], ['top_k was left out: one does not take it']],
  },
  presence_penalty: { values: [0.1, 0.2], look: ({ sent }) => sent[0]?.presence_penalty, shows: [0.1, 0.2] },
  frequency_penalty: { values: [0.1, 0.2], look: ({ sent }) => sent[0]?.frequency_penalty, shows: [0.1, 0.2] },
  stop_sequences: { values: [['END'], ['STOP']], look: ({ sent }) => sent[0]?.stop, shows: [['END'], ['STOP']] },
  timeout: { values: [1, 10], replies: late, look: ({ text }) => text, shows: ['', 'Late'] },
  enable_reasoning: { values: [true, false], look: ({ sent }) => sent[0]?.reasoning_effort, shows: ['low', undefined] },
  reasoning_effort: {
    values: ['Medium', 'High'],
    look: ({ sent }) => sent[0]?.reasoning_effort,
    shows: ['medium', 'high'],
  },
  max_retries_per_model: {
    values: [0, 1],
    replies: [{ status: 503, headers: { 'retry-after': '0' } }],
    look: ({ sent }) => sent.length,
    shows: [1, 2],
  },
  retry_on_status_codes: {
    given: { max_retries_per_model: 1 },
    values: [[503], [500]],
    replies: [{ status: 500, headers: { 'retry-after': '0' } }],
    look: ({ sent }) => sent.length,
    shows: [1, 2],
  },
  datacenter_fallback: {
    given: async (observer) => {
      const first = await observer.provider({ status: 503 });
      const second = await observer.provider({ text: 'From the second address' });
      return { model: [`${await observer.account([first.server.url, second.server.url])}/one`] };
    },
    values: [true, false],
    look: ({ text }) => text,
    shows: ['From the second address', ''],
  },
  exclude_user_identity_from_prompt: {
    values: [false, true],
    look: inInstructions('The workspace is called'),
    shows: [true, false],
  },
  usage_limits_maximum_request: {
    given: { base_tools: [{ type: 'todos', enabled: true }] },
    values: [1, 10],
    replies: [{ text: 'One moment', ...callOf('todos_read_todos') }, { text: 'Nothing to do' }],
    graph: (model) => ({
      nodes: [
        aNode('start', 'AgentStartNode'),
        aNode('first', 'ChatAgentNode', { instructions: 'Be kind', model }),
        aNode('second', 'ChatAgentNode', { instructions: 'Be brief', model }),
        aNode('end', 'AgentEndNode'),
      ],
      edges: ['start.message -> first.message', 'first.output -> second.message', 'second.output -> end.message'],
    }),
    look: ({ sent }) => sent.length,
    shows: [1, 2],
  },
  usage_limits_maximum_tokens: { values: [5, 100_000], look: ({ sent }) => sent.length, shows: [0, 1] },
  usage_limits_max_messages: {
    values: [1, 100],
    says: ['One', 'Two'],
    look: ({ status }) => status,
    shows: [409, 200],
  },
  usage_limits_agent_timeout: { values: [1, 10], replies: late, look: ({ text }) => text, shows: ['', 'Late'] },
  compaction_enabled: {
    ...filling,
    values: [true, false],
    look: ({ text }) => text !== '',
    shows: [true, false],
  },
  compaction_strategy: { ...filling, values: ['summarize', 'truncate'], look: summaries, shows: [1, 0] },
  compaction_threshold: {
    ...filling,
    replies: filling.replies.slice(0, 2),
    values: [0.4, 1],
    look: (seen) => summaries(seen) > 0,
    shows: [true, false],
  },
  compaction_tool_enabled: {
    values: [false, true],
    look: (seen) => offered(seen).includes('context_compact'),
    shows: [false, true],
  },
  enable_prompt_caching: {
    provider: 'anthropic',
    given: { persona: 'You are a pirate' },
    values: [true, false],
    look: ({ sent }) => JSON.stringify(sent[0]).includes('cache_control'),
    shows: [true, false],
  },
  parallel_tool_calls: {
    given: { base_tools: [{ type: 'todos', enabled: true }] },
    values: [true, false],
    look: ({ sent }) => sent[0]?.parallel_tool_calls,
    shows: [undefined, false],
  },
  tool_timeout: {
    values: [1, 10],
    replies: [callOf('slow_wait'), { text: 'Done' }],
    look: ({ sent }) => JSON.stringify(sent.at(-1)).includes('waited'),
    shows: [false, true],
  },
};
