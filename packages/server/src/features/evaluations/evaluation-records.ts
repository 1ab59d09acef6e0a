import { evaluationCase, mostCases } from '@atrium/contract/evaluations/case-schema.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { required } from '../../lib/required.ts';
import { defineWorkspaceRecords } from '../personal-data/ports.ts';
import { contentOf, type KnownCase } from './sources/known-case.ts';
import { insertEvaluation, listEvaluations } from './store.ts';

/** Cases without an origin come from an archive of before: their source is not known. */
const cases = z
  .array(
    evaluationCase
      .omit({ hidden: true, conversation_id: true, released_at: true })
      .extend({ origin: z.enum(['written', 'released']).optional() }),
  )
  .max(mostCases)
  .optional();
const evaluationRecord = z.object({ id: z.guid(), agent_id: z.guid(), name: z.string().min(1).max(200), cases });
type EvaluationRecord = z.output<typeof evaluationRecord>;

const pageSize = 20;

/** The conversations of a workspace are not in its archive, and neither are the cases that belong to them. */
const isArchived = ({ origin }: KnownCase) => origin !== 'conversation';

const archivedCase = (one: KnownCase) => ({
  ...contentOf(one),
  id: one.id,
  ...((one.origin === 'written' || one.origin === 'released') && { origin: one.origin }),
});

/** The evaluations of a workspace with their cases, without runs. */
export const makeEvaluationRecords = ({ db }: { db: Database }) =>
  defineWorkspaceRecords<EvaluationRecord>({
    kind: 'evaluations',
    schema: evaluationRecord,
    async *list(workspace_id) {
      for (let offset = 0; ; offset += pageSize) {
        const { rows } = await listEvaluations(db, workspace_id, {}, { size: pageSize, offset });
        for (const { id, agent_id, name, cases: stored } of rows)
          yield { id, agent_id, name, cases: stored.filter(isArchived).map(archivedCase) };
        if (rows.length < pageSize) return;
      }
    },
    nameOf: ({ name }) => name,
    idsOf: ({ id }) => [{ kind: 'evaluation', id }],
    refuse: async (_scope, { agent_id }, idOf) =>
      idOf('agent', agent_id) ? undefined : `agent_id: agent ${agent_id} is not imported`,
    async restore({ scope, idOf, rewriteIds }, records) {
      for (const { id, agent_id, name, cases: given = [] } of records)
        await insertEvaluation(db, scope.workspace_id, {
          ...{ id: required(idOf('evaluation', id)), agent_id: required(idOf('agent', agent_id)), name },
          cases: (JSON.parse(rewriteIds(JSON.stringify(given))) as typeof given).map(
            ({ origin, ...one }): KnownCase => ({ ...one, id: newId(), origin: origin ?? 'unknown' }),
          ),
        });
    },
  });
