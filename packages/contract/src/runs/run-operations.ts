import { z } from 'zod';
import { operation } from '../operation.ts';
import { paged } from '../page.ts';
import { anyRun } from '../workflows/schema.ts';
import { runsRoutes } from './routes.ts';
import { eventsQuery, runListQuery, runParams } from './schema.ts';

const tag = 'Runs';

/** Which permission it takes depends on the kind of the run: the door asks for it. */
const permission = 'any';

export const listRuns = operation({
  id: 'runs.list',
  route: runsRoutes['runs.list'],
  summary: 'List runs, the latest first',
  tag,
  permission,
  query: runListQuery,
  answer: paged(anyRun),
});

export const getRun = operation({
  id: 'runs.get',
  route: runsRoutes['runs.get'],
  summary: 'Get a run',
  tag,
  permission,
  params: runParams,
  answer: anyRun,
});

export const followRun = operation({
  id: 'runs.follow',
  route: runsRoutes['runs.follow'],
  summary: 'Watch a run from its beginning, or from any event on',
  tag,
  permission,
  params: runParams,
  query: eventsQuery,
  answer: z.looseObject({}),
  content_type: 'text/event-stream',
});

export const stopRun = operation({
  id: 'runs.stop',
  route: runsRoutes['runs.stop'],
  summary: 'Stop a run',
  tag,
  permission,
  params: runParams,
  answer: anyRun,
});

export const retryRun = operation({
  id: 'runs.retry',
  route: runsRoutes['runs.retry'],
  summary: 'Answer the same message once more, or go on from the failed step of a workflow, as a new run',
  tag,
  permission,
  params: runParams,
  answer: anyRun,
});

export const runOperations = [listRuns, getRun, followRun, stopRun, retryRun];
