import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import { readActors } from '../actors/service.ts';
import type { AddRunFigures, FiguresOfRun } from './ports.ts';
import { listRunFigures, type RunFigureRow } from './run-figure-store.ts';

const noUsage = {
  ...{ model_calls: 0, tokens: 0, input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
  cost: null,
};
/** For a run that was deleted between two statements. */
const gone: FiguresOfRun = {
  ...{ usage: noUsage, agent: null, version: null, trigger_id: null, actor: null, person: null, parent_run_id: null },
};

function usageOf({ model_calls, tokens, input_tokens, cached_tokens, output_tokens, ...row }: RunFigureRow) {
  const { reasoning_tokens, cost } = row;
  return { model_calls, tokens, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost };
}

/** Adds to runs whom they belong to and what they have used, with one statement for all of them. */
export const makeRunFigures =
  ({ db }: { db: Database }): AddRunFigures =>
  async (scope: Scope, runs) => {
    if (runs.length === 0) return [];
    const rows = await listRunFigures(
      db,
      scope.workspace_id,
      runs.map(({ id }) => id),
    );
    const ids = rows.flatMap(({ actor_id, person_id }) => [actor_id, person_id]);
    const actorOf = await readActors(db, scope, ids);
    const figures = new Map(
      rows.map((row): [string, FiguresOfRun] => [
        row.run_id,
        {
          usage: usageOf(row),
          agent: row.assistant_id === null ? null : { id: row.assistant_id, name: row.agent_name },
          version:
            row.assistant_version_id === null ? null : { id: row.assistant_version_id, number: row.version_number },
          trigger_id: row.trigger_id,
          actor: row.actor_id === null ? null : actorOf(row.actor_id),
          person: row.person_id === null ? null : actorOf(row.person_id),
          parent_run_id: row.parent_run_id,
        },
      ]),
    );
    return runs.map((run) => ({ ...run, ...(figures.get(run.id) ?? gone) }));
  };
