import type { Database } from '../../db/database.ts';
import type { Job } from '../../lib/define-job.ts';
import { errorFields, type Log } from '../../lib/log.ts';
import type { Route } from '../../lib/route.ts';
import type { VacuumLater } from '../../worker/vacuum-job.ts';

/** Operations and jobs that delete what people have said or uploaded. */
const deletingOperations = new Set([
  ...[
    'documents.delete',
    'documents.bulk',
    'knowledgeBases.delete',
    'passages.delete',
    'passages.update',
    'sites.delete',
  ],
  ...['conversations.delete', 'conversations.bulk', 'files.delete', 'files.deleteAlias', 'workspaces.delete'],
  ...[
    'evaluations.delete',
    'evaluationCases.delete',
    'evaluationCases.release',
    'agentMemories.delete',
    'agentMemories.deleteAll',
    'conversationMemories.delete',
    'conversationMemories.deleteAll',
  ],
]);
const deletingJobs = new Set(['personal-data.run', 'knowledge.clean-up', 'knowledge.remove-workspace']);

interface Deps {
  db: Database;
  vacuumLater: VacuumLater;
}

/** A vacuum that could not be scheduled is logged: what was deleted is deleted, and the nightly one follows. */
const schedule = ({ db, vacuumLater }: Deps, log: Log) =>
  vacuumLater(db).catch((error: unknown) => log.warn('vacuum.not-scheduled', errorFields(error)));

/** Schedules a vacuum after each operation that has deleted something. */
export const vacuumAfterOperations = (routes: readonly Route[], deps: Deps): Route[] =>
  routes.map((route) =>
    deletingOperations.has(route.id)
      ? {
          ...route,
          async handler(scope, input) {
            const answer = await route.handler(scope, input);
            await schedule(deps, scope.log);
            return answer;
          },
        }
      : route,
  );

/** The same for jobs. */
export const vacuumAfterJobs = (jobs: readonly Job[], deps: Deps): Job[] =>
  jobs.map((job) =>
    deletingJobs.has(job.job)
      ? {
          ...job,
          async handler(context, payload) {
            await job.handler(context, payload);
            await schedule(deps, context.log);
          },
        }
      : job,
  );
