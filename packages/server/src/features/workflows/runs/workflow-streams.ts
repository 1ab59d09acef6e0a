import { InvalidRequest } from '@atrium/contract/errors.ts';
import { shown } from '@atrium/contract/expressions/functions.ts';
import type { Frame } from '../../../lib/responses/sse-frame.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { GraphCache } from '../definition/graph-cache.ts';
import type { Journal } from './journal.ts';
import type { Batch, JournalEvent } from './journal-events.ts';
import { makeProgressTracker, type ProgressTracker } from './progress-tracker.ts';
import type { RunRow } from './run-store.ts';

interface StreamEvent {
  type: string;
  data: Record<string, unknown>;
}

/** Translates journal events to the events that clients of workflow runs know, one for each. */
function makeDialect(run: RunRow, progress: ProgressTracker) {
  const state = (status: string): StreamEvent => ({
    type: 'state',
    data: { status, progress: progress.percent(), progress_details: progress.details() },
  });

  function stepEvent(event: Extract<JournalEvent, { node: string }>, last: boolean): StreamEvent {
    const id = event.node.split('/').at(-1) ?? '';
    const path = event.node;
    if (event.type === 'start') return { type: 'node_started', data: { id, path, status: 'running' } };
    if (event.type === 'retry') return { type: 'content', data: { id, path, status: 'retrying', error: event.error } };
    // The last event of a batch reports the state for the whole batch.
    if (event.type !== 'end' || (last && event.outputs?.['output'] === undefined)) return state('running');
    const output = event.outputs?.['output'];
    const content = typeof output === 'string' ? output : output === undefined ? undefined : shown(output);
    const { status, error } = event;
    return {
      type: 'content',
      data: { id, path, status, ...(content !== undefined && { content }), ...(error && { error }) },
    };
  }

  return (event: JournalEvent, last: boolean): StreamEvent => {
    if (event.type === 'run-start') return state('running');
    if (event.type !== 'run-end') return stepEvent(event, last);
    const { status, error } = event;
    // Clients stop waiting at these two; for other ends they read the run once the stream is over.
    if (status !== 'completed' && status !== 'failed') return state(status);
    return { type: 'content', data: { id: run.id, status, workflow_status: status, ...(error && { error }) } };
  };
}

export function makeWorkflowStreams({ graphs, journal }: { graphs: GraphCache; journal: Journal }): WorkflowStreams {
  return {
    async ofRun(
      scope: Scope,
      run: RunRow,
      format: string | undefined,
      point: { etag?: string | undefined; after?: number | undefined },
    ) {
      if (format !== undefined && format !== 'json') {
        const error = 'a workflow run is streamed in its own words, or with format=json';
        throw new InvalidRequest([
          {
            loc: ['query', 'format'],
            msg: `Value error, ${error}`,
            type: 'value_error',
            input: format,
            ctx: { error },
          },
        ]);
      }
      const created = Date.parse(run.created_at);
      const [, ms, seq] = /^(\d+)-(\d{1,9})$/.exec(point.etag ?? '') ?? [];
      const seen = point.etag === undefined ? (point.after ?? 0) : Number(ms) === created ? Number(seq) : 0;
      const progress = makeProgressTracker(await graphs(run.group_id, run.graph_id));
      const dialect = makeDialect(run, progress);
      return frames(journal.follow(scope.workspace_id, run.id, scope.signal));

      async function* frames(batches: AsyncIterable<Batch>): AsyncGenerator<Frame> {
        for await (const { first_seq, events } of batches)
          for (const [place, event] of events.entries()) {
            progress.add(event);
            const at = first_seq + place;
            if (at <= seen) continue;
            const { type, data } = dialect(event, place === events.length - 1);
            const sent =
              format === 'json' ? { event: type, data, seq: at } : { type, data, redisId: `${created}-${at}` };
            yield { event: 'message', data: JSON.stringify(sent) };
          }
        if (format === 'json') yield { event: 'done', data: '{}' };
      }
    },
  };
}

export interface WorkflowStreams {
  /** Streams a run from its first event, or from the one after the etag; an unknown etag replays all. */
  ofRun(
    scope: Scope,
    run: RunRow,
    format: string | undefined,
    point: { etag?: string | undefined; after?: number | undefined },
  ): Promise<AsyncGenerator<Frame>>;
}
