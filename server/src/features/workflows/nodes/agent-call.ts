import { createHash } from 'node:crypto';
import type { Scope } from '../../../lib/scope.ts';
import type { Conversations } from '../../conversations/service.ts';
import type { Runs } from '../../runs/service.ts';
import { c } from '../config-fields.ts';
import { plain } from '../connectors.ts';
import type { Once } from '../effects.ts';
import { defineNode, type NodeContext, NodeFailure } from '../node.ts';
import { requirePermission, told } from './told.ts';

export interface AgentCallNeeds {
  conversations: Pick<Conversations, 'create'>;
  runs: Pick<Runs, 'send' | 'settled' | 'get' | 'stopRun'>;
  /** The text of a reply. */
  replyOf(scope: Scope, conversation_id: string, message_id: string): Promise<string>;
  once: Once;
}

/** Asks until the run is over: one that waits for a person may take days, a step may not. */
async function over(
  { runs }: AgentCallNeeds,
  { scope, signal }: NodeContext,
  run: Awaited<ReturnType<Runs['send']>>['run'],
) {
  const stop = () => void runs.stopRun(scope, run.id).catch(() => {});
  signal.addEventListener('abort', stop, { once: true });
  try {
    for (;;) {
      await runs.settled({ ...scope, signal }, run);
      signal.throwIfAborted();
      const now = await runs.get(scope, run.id);
      if (now.status !== 'running' && now.status !== 'queued') return now;
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export const makeAgentCallNode = (needs: AgentCallNeeds) =>
  defineNode({
    type: 'AgentCallNode',
    title: 'Ask agent',
    description: 'Has an agent answer, with its own tools and knowledge.',
    category: 'agents',
    effects: 'outside',
    // The conversation and its run are made once for each key; a second try joins them.
    repeatable: true,
    timeout: 600,
    inputs: [plain('message'), plain('conversation_id', { optional: true })],
    outputs: [plain('output', { label: 'Reply' }), plain('conversation', { label: 'Conversation' })],
    config: {
      agent_id: c.reference('agent', { description: 'The agent to ask' }),
      name: c.template({ default: '', advanced: true, description: 'What the conversation is called' }),
    },
    async run(context, { message, conversation_id: going }, { agent_id, name }) {
      const { scope, key } = context;
      requirePermission(scope, 'agents_run');
      const content = String(message);
      const created = { ...(name && { name }), preview: false };
      const id = going
        ? String(going)
        : await told(
            needs.once(
              scope,
              `${key}:conversation`,
              (own) => needs.conversations.create(own, agent_id, created),
              ({ row }) => row.id,
            ),
          );
      const fingerprint = createHash('sha256').update(content).digest();
      const asking = { ...scope, request_key: { key: `workflow ${key}`, fingerprint } };
      const { run } = await told(needs.runs.send(asking, id, { content }, 'enqueue'));
      const ended = await told(over(needs, context, run));
      if (ended.status === 'awaiting_human_feedback')
        throw new NodeFailure('awaiting_human', 'The agent waits for a person; its conversation goes on without us', {
          passing: false,
        });
      if (ended.status !== 'completed')
        throw new NodeFailure(
          ended.error?.code ?? ended.status,
          ended.error?.message ?? `The agent was ${ended.status}`,
        );
      return { output: await needs.replyOf(scope, id, run.message_id), conversation: id };
    },
  });
