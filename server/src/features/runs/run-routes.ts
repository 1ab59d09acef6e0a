import { z } from 'zod';
import type { RawAnswer } from '../../lib/answer.ts';
import { type Paged, paged } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import type { Scope } from '../../lib/scope.ts';
import { type AnyRun, anyRun } from '../workflows/schema.ts';
import { eventsQuery, type RunListQuery, runListQuery, runParams, type StreamFormat } from './schema.ts';
import type { ResumePoint } from './streams.ts';

const tag = 'Runs';
/** Which permission it takes depends on the kind of the run: the door asks for it. */
const permission = 'any';

/** What can be done with runs, of whichever kind. */
export interface RunDoor<R> {
  list(scope: Scope, query: RunListQuery): Promise<Paged<R>>;
  get(scope: Scope, run_id: string): Promise<R>;
  events(scope: Scope, run_id: string, format: StreamFormat, point: ResumePoint): Promise<RawAnswer>;
  stop(scope: Scope, run_id: string): Promise<R>;
  retry(scope: Scope, run_id: string): Promise<R>;
}

export const runRoutes = (door: RunDoor<AnyRun>): Route[] => [
  defineRoute({
    route: 'GET /v1/runs',
    summary: 'List runs, the latest first',
    tag,
    permission,
    query: runListQuery,
    answer: paged(anyRun),
    handler: (scope, { query }) => door.list(scope, query),
  }),
  defineRoute({
    route: 'GET /v1/runs/{run_id}',
    summary: 'Get a run',
    tag,
    permission,
    params: runParams,
    answer: anyRun,
    handler: (scope, { params }) => door.get(scope, params.run_id),
  }),
  defineRoute({
    route: 'GET /v1/runs/{run_id}/events',
    summary: 'Watch a run from its beginning, or from any event on',
    tag,
    permission,
    params: runParams,
    query: eventsQuery,
    answer: z.looseObject({}),
    content_type: 'text/event-stream',
    handler: (scope, { params, query, last_event_id }) =>
      door.events(scope, params.run_id, query.format, { ...query, last_event_id }),
  }),
  defineRoute({
    route: 'POST /v1/runs/{run_id}/stop',
    summary: 'Stop a run',
    tag,
    permission,
    params: runParams,
    answer: anyRun,
    handler: (scope, { params }) => door.stop(scope, params.run_id),
  }),
  defineRoute({
    route: 'POST /v1/runs/{run_id}/retry',
    summary: 'Answer the same message once more, or go on from the failed step of a workflow, as a new run',
    tag,
    permission,
    params: runParams,
    answer: anyRun,
    handler: (scope, { params }) => door.retry(scope, params.run_id),
  }),
];
