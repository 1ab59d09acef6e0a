import { InvalidRequest } from '@atrium/contract/errors.ts';
import { shown } from '@atrium/contract/expressions/functions.ts';
import type { Frame } from '../../../lib/responses/sse-frame.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Graphs } from '../definition/graph-cache.ts';
import type { Journal } from './journal.ts';
import type { Batch, JournalEvent } from './journal-events.ts';
import { makeProgressTracker } from './progress-tracker.ts';
import type { RunRow } from './run-store.ts';

interface Told {
  type: string;
  data: Record<string, unknown>;
}

/** The events of a run as clients of workflow runs know them: exactly one frame for each. */
function makeDialect(run: RunRow, progress: ReturnType<typeof makeProgressTracker>) {
  const state = (status: string): Told => ({
    type: 'state',
    data: { status, progress: progress.percent(), progress_details: progress.details() },
  });

  function ofStep(event: Extract<JournalEvent, { node: string }>, last: boolean): Told {
    const id = event.node.split('/').at(-1) ?? '';
    if (event.type === 'start') return { type: 'node_started', data: { id, status: 'running' } };
    if (event.type === 'retry') return { type: 'content', data: { id, status: 'retrying', error: event.error } };
    // What is done has been told for all of a batch by its last event.
    if (event.type !== 'end' || (last && event.outputs?.['output'] === undefined)) return state('running');
    const output = event.outputs?.['output'];
    const content = typeof output === 'string' ? output : output === undefined ? undefined : shown(output);
    const { status, error } = event;
    return {
      type: 'content',
      data: { id, status, ...(content !== undefined && { content }), ...(error && { error }) },
    };
  }

  return (event: JournalEvent, last: boolean): Told => {
    if (event.type === 'run-start') return state('running');
    if (event.type !== 'run-end') return ofStep(event, last);
    const { status, error } = event;
    // Only these two end the client's wait; for the others it looks at the run once the stream is over.
    if (status !== 'completed' && status !== 'failed') return state(status);
    return { type: 'content', data: { id: run.id, status, workflow_status: status, ...(error && { error }) } };
  };
}

export function makeWorkflowStreams({ graphs, journal }: { graphs: Graphs; journal: Journal }) {
  return {
    /** A run from its first event, or from the one after the etag; what it has not given replays all. */
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
            const told =
              format === 'json' ? { event: type, data, seq: at } : { type, data, redisId: `${created}-${at}` };
            yield { event: 'message', data: JSON.stringify(told) };
          }
        if (format === 'json') yield { event: 'done', data: '{}' };
      }
    },
  };
}

export type WorkflowStreams = ReturnType<typeof makeWorkflowStreams>;
