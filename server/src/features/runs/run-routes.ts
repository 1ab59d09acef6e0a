import { z } from 'zod';
import { defineRoute, type Route } from '../../lib/route.ts';
import { eventsQuery, run, runListQuery, runPage, runParams } from './schema.ts';
import type { Runs } from './service.ts';
import type { Turns } from './turns.ts';

const tag = 'Runs';
const permission = 'agents_run';

export const runRoutes = (runs: Runs, turns: Turns): Route[] => [
  defineRoute({
    route: 'GET /v1/runs',
    summary: 'List runs, the latest first',
    tag,
    permission,
    query: runListQuery,
    answer: runPage,
    handler: (scope, { query }) => runs.list(scope, query),
  }),
  defineRoute({
    route: 'GET /v1/runs/{run_id}',
    summary: 'Get a run',
    tag,
    permission,
    params: runParams,
    answer: run,
    handler: (scope, { params }) => runs.get(scope, params.run_id),
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
      turns.runEvents(scope, params.run_id, query.format, { ...query, last_event_id }),
  }),
  defineRoute({
    route: 'POST /v1/runs/{run_id}/stop',
    summary: 'Stop a run',
    tag,
    permission,
    params: runParams,
    answer: run,
    handler: (scope, { params }) => runs.stopRun(scope, params.run_id),
  }),
  defineRoute({
    route: 'POST /v1/runs/{run_id}/retry',
    summary: 'Answer the same message once more, as a new run',
    tag,
    permission,
    params: runParams,
    answer: run,
    handler: (scope, { params }) => turns.retry(scope, params.run_id),
  }),
];
