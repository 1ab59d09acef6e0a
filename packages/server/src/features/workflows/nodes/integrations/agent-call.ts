import { createHash } from 'node:crypto';
import { notFound } from '@atrium/contract/errors.ts';
import { agentCallNodeType } from '@atrium/contract/workflows/node-types/integrations/agent-call.ts';
import { isOutsider, type Scope } from '../../../../lib/scope.ts';
import type { Conversations } from '../../../conversations/service.ts';
import type { AgentCaller } from '../../../delegation/service.ts';
import type { Runs } from '../../../runs/service.ts';
import { requirePermission, rethrowAsNodeFailure } from '../../node-services/rethrow-as-node-failure.ts';
import type { RunOnce } from '../../node-services/run-once.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';

export interface AgentCallNeeds {
  conversations: Pick<Conversations, 'create' | 'find' | 'inherit'>;
  /** A function, since agents use workflows and workflows use agents: one of them is composed later. */
  running(): { runs: Pick<Runs, 'send'>; ask: Pick<AgentCaller, 'settle'> };
  once: RunOnce;
}

/** Guests choose what their messages name, so their workflows go on only with what was begun for them. */
async function requireOwn({ find }: Pick<Conversations, 'find'>, scope: Scope, id: string): Promise<void> {
  const { created_by } = await find(scope, id);
  if (isOutsider(scope) && created_by !== scope.actor.id) throw notFound('conversation');
}

export const makeAgentCallNode = (needs: AgentCallNeeds) =>
  defineNode(
    agentCallNodeType,
    async ({ scope, run_id, key, signal }, { message, conversation_id: going }, { agent_id, name }) => {
      requirePermission(scope, 'agents_run');
      const { runs, ask } = needs.running();
      const content = String(message);
      const made = () =>
        needs.once(
          scope,
          `${key}:conversation`,
          (own) => needs.conversations.create(own, agent_id, { ...(name && { name }), preview: false }, 'workflow'),
          ({ row }) => row.id,
        );
      const id = going ? String(going) : await rethrowAsNodeFailure(made());
      if (going) {
        await rethrowAsNodeFailure(requireOwn(needs.conversations, scope, id));
        await rethrowAsNodeFailure(needs.conversations.inherit(scope, id));
      }
      const fingerprint = createHash('sha256').update(content).digest();
      // The key contains the run: a retry of a failed run asks the agent again instead of reading the failed answer.
      const asking = { ...scope, request_key: { key: `workflow ${run_id} ${key}`, fingerprint } };
      // The message may contain data from any source that the workflow reads, so it is untrusted. And it takes no
      // slot: the run of an agent that holds one may wait for it.
      const brings = [...new Set(['untrusted' as const, ...(scope.brings ?? [])])];
      const flowing = { brings, beyond: true };
      const { run } = await rethrowAsNodeFailure(runs.send(asking, id, { content }, 'enqueue', flowing));
      const { status, error, reply } = await rethrowAsNodeFailure(ask.settle(scope, run, signal));
      if (status === 'awaiting_human_feedback')
        throw new NodeFailure('awaiting_human', 'The agent waits for a person; its conversation goes on without us', {
          passing: false,
        });
      if (status !== 'completed')
        throw new NodeFailure(error?.code ?? status, error?.message ?? `The agent was ${status}`, { passing: false });
      return { output: reply, conversation: id };
    },
  );
