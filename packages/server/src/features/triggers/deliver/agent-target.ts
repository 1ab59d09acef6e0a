import { createHash } from 'node:crypto';
import { AppError } from '@atrium/contract/errors.ts';
import { isDuplicate } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Agents } from '../../agents/service.ts';
import type { Conversations } from '../../conversations/service.ts';
import type { Runs } from '../../runs/service.ts';
import type { TriggerTarget } from '../ports.ts';

const longestMessage = 2_000_000;

/** Starts an agent for a trigger: sends it a message in a new conversation. */
export function makeAgentTarget(deps: {
  agents: Pick<Agents, 'exists'>;
  /** Throws `not_found` for a version that the agent does not have. */
  versions: { get(scope: Scope, agent_id: string, version_id: string): Promise<unknown> };
  conversations: Pick<Conversations, 'create'>;
  runs: Pick<Runs, 'send' | 'current'>;
}): TriggerTarget {
  const { agents, versions, conversations, runs } = deps;
  return {
    kind: 'agent',
    exists: async (scope, id) => (await agents.exists(scope, [id])).has(id),
    hasVersion: (scope, id, version_id) =>
      versions.get(scope, id, version_id).then(
        () => true,
        (error) => {
          if (error instanceof AppError && error.kind === 'not_found') return false;
          throw error;
        },
      ),

    async start(scope, { target_id, version_id, text, brings, name, key }) {
      // The key is the id of the conversation, so that every attempt uses the same one.
      const made = { name, preview: false, assistant_version_id: version_id ?? undefined };
      const isNew = await conversations.create(scope, target_id, made, 'trigger', key).then(
        () => true,
        (error) => {
          if (isDuplicate(error)) return false;
          throw error;
        },
      );
      const begun = isNew ? undefined : await runs.current(scope, key);
      if (begun) return begun.id;
      // A second attempt at the same moment joins the run of the first, as with an Idempotency-Key.
      const fingerprint = createHash('sha256').update(key).digest();
      const asked: Scope = { ...scope, request_key: { key: `trigger ${key}`, fingerprint } };
      return (await runs.send(asked, key, { content: text.slice(0, longestMessage) }, 'reject', { brings })).run.id;
    },
  };
}
