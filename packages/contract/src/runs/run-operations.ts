import * as z from 'zod';
import { operation } from '../operation.ts';
import { budgetReached, conflicts, noSuch } from '../operation-errors.ts';
import { anyRun, runItem, runItemPage } from '../workflows/schema.ts';
import { runsRoutes } from './routes.ts';
import { eventsQuery, runListQuery, runParams, runRetry } from './schema.ts';

const tag = 'Runs';

/** The handler checks the permission, which depends on the kind of the run. */
const permission = 'any';

export const listRuns = operation({
  id: 'runs.list',
  route: runsRoutes['runs.list'],
  summary: 'List runs, the latest first',
  description:
    'Returns runs of conversations and runs of workflows in one list, page by page, each with its agent, version, trigger, person, tokens and cost, by which the list can be filtered and sorted. The caller sees runs of conversations with `agents_run` and runs of workflows with `flows_run`; it needs one of them.',
  tag,
  permission,
  query: runListQuery,
  answer: runItemPage,
});

export const getRun = operation({
  id: 'runs.get',
  route: runsRoutes['runs.get'],
  summary: 'Get a run',
  description:
    'Returns the status, the error and the times of a run of a conversation (`agents_run`) or of a workflow (`flows_run`). Use it to poll a run whose stream is not followed.',
  tag,
  permission,
  params: runParams,
  answer: runItem,
});

export const followRun = operation({
  id: 'runs.follow',
  route: runsRoutes['runs.follow'],
  summary: 'Follow the events of a run',
  description:
    'Streams the events of a run from the first one, or from the one after `after`, `etag` or the `Last-Event-ID` header, and ends with the run or when it waits for a person. Without `format` the events have the format of workflow runs.',
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
  description:
    'Requests that a run stops and returns it; a running one may still be `running` in the answer. Queued and waiting runs end at once. A run that is over stays as it is.',
  tag,
  permission,
  audit: { none: 'a run is work; it is listed with its own trace' },
  params: runParams,
  answer: anyRun,
});

export const retryRun = operation({
  id: 'runs.retry',
  route: runsRoutes['runs.retry'],
  summary: 'Retry a run as a new run',
  description:
    'For a run of a conversation, answers the same message again. For a workflow, starts a new run that keeps the finished steps of a failed or stopped one, or starts a completed one from the beginning. `version` says whether it runs the definition that the first run had or the current one. Returns the new run. It is refused with 409 while the run, or another one of the conversation, is not over.',
  tag,
  permission,
  audit: { none: 'a run is work; it is listed with its own trace' },
  params: runParams,
  body: runRetry,
  example: { version: 'original' },
  errors: [
    noSuch('run'),
    conflicts('run_in_progress', 'The run of the workflow is not over.'),
    conflicts('workflow_invalid', 'The definition was stored with `force` and has validation errors.'),
    budgetReached,
    conflicts('node_missing', 'The run was limited to a node that the current version does not have.'),
  ],
  answer: anyRun,
});

export const runOperations = [listRuns, getRun, followRun, stopRun, retryRun];
