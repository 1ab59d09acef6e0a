import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Database } from '../../db/database.ts';
import type { StoredPrincipal } from '../../execution/run-queue.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { personBehind } from '../../lib/scope.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import type { RunRequests } from './ports.ts';
import * as store from './request-store.ts';

function requestOf(run: { id: string; conversation_id: string }, event: RunEvent): store.NewRequest | undefined {
  if (event.type !== 'approval-request' && event.type !== 'human-request') return undefined;
  const { id, call_id, name: tool, expires_at } = event;
  const asked =
    event.type === 'approval-request'
      ? {
          ...{ kind: 'approval' as const, arguments: JSON.stringify(event.input ?? null), reason: event.reason },
          ...{ recipient: event.recipient ?? null, definition: event.definition ?? null },
          ...{
            recipients: event.recipients ?? [],
            beneath: event.beneath ?? [],
            definitions: event.definitions ?? null,
          },
          four_eyes: event.four_eyes === true,
          approvers: event.approvers ?? [],
          approver_groups: event.approver_groups ?? [],
          has_read: event.has_read ? [...event.has_read] : null,
        }
      : {
          ...{ kind: 'question' as const, arguments: JSON.stringify({ question: event.question }), reason: null },
          ...{ recipient: null, definition: null, four_eyes: false, recipients: [], beneath: [], definitions: null },
          ...{ approvers: [], approver_groups: [], has_read: null },
        };
  return {
    id,
    conversation_id: run.conversation_id,
    run_id: run.id,
    call_id: plainText(call_id),
    tool,
    expires_at,
    ...asked,
  };
}

/** Who asks for a run: the person, with any of their keys, or the program, also by a key that was rotated. */
export const askerOf = (principal: Pick<StoredPrincipal, 'actor' | 'person_id'>): string =>
  personBehind(principal) ?? principal.actor.line ?? principal.actor.id;

/** Stores and reads the requests of agent runs. A request is stored exactly when the log of its run has its event. */
export const makeRunRequests = ({ db }: { db: Database }): RunRequests => ({
  hasPending: store.hasPendingRequests,
  list: (workspace_id, run_id) => store.listRequestsOfRun(db, workspace_id, run_id),

  async covering({ group_id, conversation_id, principal }) {
    const approvals = await store.listCoveringApprovals(db, group_id, conversation_id);
    const asker = askerOf(principal);
    return approvals.filter((approval) => askerOf(parseStored<StoredPrincipal>(approval.principal)) === asker);
  },

  record(run, events, seen) {
    const requests = events.flatMap((event) => requestOf(run, event) ?? []);
    const isOver = events.some(({ type }) => type === 'run-end');
    const mayWait = isOver && seen.some(({ type }) => type === 'approval-request' || type === 'human-request');
    if (requests.length === 0 && !mayWait) return undefined;
    return async (tx) => {
      for (const request of requests) await store.insertRequest(tx, run.group_id, request);
      if (mayWait) await store.withdrawRequests(tx, run.group_id, run.id);
    };
  },
});
