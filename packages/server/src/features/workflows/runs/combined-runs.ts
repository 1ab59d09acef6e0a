import { forbidden, invalid } from '@atrium/contract/errors.ts';
import { pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RunAnswer, RunListQuery } from '@atrium/contract/runs/schema.ts';
import type { AnyRun } from '@atrium/contract/workflows/schema.ts';
import { sseAnswer } from '../../../lib/responses/sse.ts';
import { lacksPermission, type Scope } from '../../../lib/scope.ts';
import type { RunEndpoints } from '../../runs/ports.ts';
import type { WorkflowRuns } from './workflow-runs.ts';
import type { WorkflowStreams } from './workflow-streams.ts';

interface OfConversations extends Omit<RunEndpoints<RunAnswer>, 'list'> {
  newest(
    scope: Scope,
    filter: Pick<RunListQuery, 'status' | 'conversation_id' | 'assistant_id'>,
    window: { size: number; offset: number },
  ): Promise<{ items: RunAnswer[]; total: number }>;
}

/** Combines runs of conversations and of workflows for the endpoints of `/v1/runs`. */
export function makeCombinedRuns(
  conversations: OfConversations,
  runs: WorkflowRuns,
  streams: WorkflowStreams,
): RunEndpoints<AnyRun> {
  const may = (scope: Scope, kind: 'agents_run' | 'flows_run') => allows(scope.permissions, kind);
  function need(scope: Scope, kind: 'agents_run' | 'flows_run'): void {
    if (!may(scope, kind)) throw forbidden(lacksPermission(scope, kind));
  }

  /** The run if it is one of a workflow. Throws `forbidden` first for a caller that may see neither kind. */
  async function workflowRun(scope: Scope, id: string) {
    if (!may(scope, 'flows_run')) {
      need(scope, 'agents_run');
      return undefined;
    }
    const row = await runs.found(scope, id);
    if (!row) need(scope, 'agents_run');
    return row;
  }

  return {
    /** The newest runs of both kinds; ids rise with time. */
    async list(scope, query) {
      const { kind, status, conversation_id, assistant_id, workflow_id } = query;
      if (!may(scope, 'flows_run')) need(scope, 'agents_run');
      const window = pageOf(query);
      const reach = { size: window.offset + window.size, offset: 0 };
      const none = { items: [], total: 0 };
      const ofTalks = kind !== 'workflow' && workflow_id === undefined;
      const ofFlows = kind !== 'conversation' && conversation_id === undefined && assistant_id === undefined;
      const [talks, flows] = await Promise.all([
        may(scope, 'agents_run') && ofTalks
          ? conversations.newest(scope, { status, conversation_id, assistant_id }, reach)
          : none,
        may(scope, 'flows_run') && ofFlows ? runs.newest(scope, { status, workflow_id }, reach) : none,
      ]);
      const all = [...talks.items, ...flows.items].sort((a, b) => (a.id < b.id ? 1 : -1));
      return pageAnswer(all.slice(window.offset, reach.size), talks.total + flows.total, window);
    },
    get: async (scope, id) => ((await workflowRun(scope, id)) ? runs.get(scope, id) : conversations.get(scope, id)),
    stop: async (scope, id) => ((await workflowRun(scope, id)) ? runs.stop(scope, id) : conversations.stop(scope, id)),
    async retry(scope, id, body) {
      if (await workflowRun(scope, id)) return runs.retry(scope, id, body.version);
      // A run that the caller can't see is not found by any operation.
      if (body.version === 'current' && (await conversations.get(scope, id)))
        throw invalid(
          ['body', 'version'],
          'only a run of a workflow can be retried with the current version',
          'current',
        );
      return conversations.retry(scope, id, body);
    },
    async events(scope, id, format, point) {
      const run = await workflowRun(scope, id);
      return run
        ? sseAnswer(await streams.ofRun(scope, run, format, point))
        : conversations.events(scope, id, format, point);
    },
  };
}
