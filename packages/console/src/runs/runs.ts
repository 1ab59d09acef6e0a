import type { AnswerOf, ItemOf, QueryOf } from '@atrium/sdk';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { useClient } from '../api/session.ts';
import { runTexts } from '../text/runs.ts';
import type { Tone } from '../ui/chip.tsx';
import type { RunFilters } from './routes.tsx';

export type Run = ItemOf<'runs.list'>;
export type Trace = AnswerOf<'runs.getTrace'>;
export type Step = Trace['steps'][number];
/** A time in which no step of a run ran. */
export type Gap = Trace['time']['gaps'][number];
type Client = ReturnType<typeof useClient>;
type RunQuery = Omit<NonNullable<QueryOf<'runs.list'>>, 'view'>;

const tones: Readonly<Record<string, Tone>> = {
  ...{ queued: 'plain', running: 'accent', completed: 'ok', failed: 'bad', stopped: 'plain' },
  awaiting_human_feedback: 'warn',
};
export const toneOf = (status: string): Tone => tones[status] ?? 'plain';
export const isOver = (status: string) => ['completed', 'failed', 'stopped'].includes(status);

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** The start of the hour, so that the same list is asked for again within it. */
const daysAgo = (days: number) => new Date(Math.floor(Date.now() / hourMs) * hourMs - days * dayMs).toISOString();

/** The filters of the address as parameters of the list. */
export function queryOf(filters: RunFilters): RunQuery {
  const { kind, status, agent, workflow, conversation, parent, person, trigger, from, to, days } = filters;
  return {
    ...(kind && { kind }),
    ...(status && { status: status as NonNullable<RunQuery['status']> }),
    ...(agent && { assistant_id: agent }),
    ...(workflow && { workflow_id: workflow }),
    ...(conversation && { conversation_id: conversation }),
    ...(parent && { parent_run_id: parent }),
    ...(person && { person_id: person }),
    ...(trigger && { trigger_id: trigger }),
    ...(from && { created_after: from }),
    ...(to && { created_before: to }),
    ...(days && { created_after: daysAgo(days) }),
  };
}

export const runsQuery = (
  client: Client,
  workspace: string,
  filters: RunFilters,
  sort: '-cost' | '-tokens' | undefined,
) =>
  infiniteQueryOptions({
    queryKey: [workspace, 'runs', 'list', filters, sort],
    queryFn: ({ pageParam }) =>
      client.runs.list({
        ...{ ...queryOf(filters), size: 50 },
        ...(sort && { sort }),
        ...(pageParam && { after: pageParam }),
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
  });

export const runQuery = (client: Client, workspace: string, id: string) =>
  queryOptions({ queryKey: [workspace, 'runs', 'one', id], queryFn: () => client.runs.get(id) });

/** Why content of a run is left out for this reader; null: nothing is. */
export const hiddenOf = (run: Pick<Run, 'kind'> & { hidden?: 'not_yours' | 'documents' | null }) => run.hidden ?? null;

/** The words that a run answers, or what a workflow was started with, in one line. */
export function nameRun(run: Pick<Run, 'kind' | 'input'> & { hidden?: 'not_yours' | 'documents' | null }): string {
  const { kind, input } = run;
  if (hiddenOf(run) === 'not_yours') return runTexts.hiddenName;
  const content = kind === 'conversation' ? input['content'] : Object.values(input)[0];
  const words = typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content);
  return words.replaceAll(/\s+/g, ' ').trim().slice(0, 160) || runTexts.emptyInput;
}

/** How long a run took, or takes so far, in milliseconds. */
export const lastedMs = ({ started_at, finished_at }: Pick<Run, 'started_at' | 'finished_at'>): number | undefined =>
  started_at === null ? undefined : Date.parse(finished_at ?? new Date().toISOString()) - Date.parse(started_at);
