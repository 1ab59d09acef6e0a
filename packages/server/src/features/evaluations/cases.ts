import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type {
  CaseFromMessage,
  EvaluationCaseCreate,
  EvaluationCaseEntry,
  EvaluationCasePatch,
} from '@atrium/contract/evaluations/case-schema.ts';
import { mostCases } from '@atrium/contract/evaluations/case-schema.ts';
import type { StoredCase } from '@atrium/contract/evaluations/schema.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { required } from '../../lib/required.ts';
import { lacksPermission, type Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import type { CaseFromConversation } from './case-from-conversation.ts';
import * as store from './store.ts';

/** The cases of evaluations, one at a time. */
export interface EvaluationCases {
  list(scope: Scope, evaluation_id: string, page: PageQuery): Promise<Paged<EvaluationCaseEntry>>;
  get(scope: Scope, evaluation_id: string, id: string): Promise<EvaluationCaseEntry>;
  create(scope: Scope, evaluation_id: string, create: EvaluationCaseCreate): Promise<EvaluationCaseEntry>;
  /** Makes a case of one message of a conversation that the caller sees. */
  createFromMessage(scope: Scope, evaluation_id: string, from: CaseFromMessage): Promise<EvaluationCaseEntry>;
  update(scope: Scope, evaluation_id: string, id: string, patch: EvaluationCasePatch): Promise<EvaluationCaseEntry>;
  remove(scope: Scope, evaluation_id: string, id: string): Promise<void>;
}

const present = ({ id: evaluation_id, etag, cases }: store.EvaluationRow, position: number): EvaluationCaseEntry => ({
  ...required(cases[position]),
  ...{ evaluation_id, position, etag },
});

function positionOf({ cases }: store.EvaluationRow, id: string): number {
  const position = cases.findIndex((one) => one.id === id);
  if (position < 0) throw notFound('case');
  return position;
}

/** Fields that were sent empty are taken away. */
function applyPatch(before: StoredCase, patch: EvaluationCasePatch): StoredCase {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const entries = Object.entries({ ...before, ...Object.fromEntries(given) });
  return Object.fromEntries(entries.filter(([, value]) => value !== '' && !isEmpty(value))) as unknown as StoredCase;
}
const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

export function makeEvaluationCases(deps: {
  db: Database;
  transcript: Pick<Transcript, 'findReplyOfRun'>;
  fromConversation: CaseFromConversation;
}): EvaluationCases {
  const { db, transcript, fromConversation } = deps;

  async function find(scope: Scope, id: string): Promise<store.EvaluationRow> {
    const row = await store.findEvaluation(db, scope.workspace_id, id);
    if (!row) throw notFound('evaluation');
    return row;
  }

  /** Changes the cases while no other caller does. The transaction returns the case, which the audit log names. */
  const change = <T>(
    scope: Scope,
    id: string,
    work: (row: store.EvaluationRow) => readonly StoredCase[],
    result: (row: store.EvaluationRow) => T,
  ): Promise<T> =>
    db.transaction(scope, async (tx) => {
      const row = await store.lockEvaluation(tx, scope.workspace_id, id);
      if (!row) throw notFound('evaluation');
      return result(required(await store.updateEvaluation(tx, scope.workspace_id, id, row.name, work(row))));
    });

  const append = (scope: Scope, evaluation_id: string, made: EvaluationCaseCreate) =>
    change(
      scope,
      evaluation_id,
      ({ cases }) => {
        if (cases.length >= mostCases) throw conflict(`There are ${mostCases} cases already`, 'too_many_cases');
        return [...cases, { ...made, id: newId() }];
      },
      (row) => present(row, row.cases.length - 1),
    );

  /** The conversation and message that a case is made of. */
  async function locate(scope: Scope, { conversation_id, message_id, run_id }: CaseFromMessage) {
    if (run_id === undefined) {
      if (conversation_id === undefined || message_id === undefined)
        throw invalid(['body'], 'give conversation_id and message_id, or run_id', null);
      return { conversation_id, message_id };
    }
    if (conversation_id !== undefined || message_id !== undefined)
      throw invalid(['body', 'run_id'], 'give conversation_id and message_id, or run_id', run_id);
    const reply = await transcript.findReplyOfRun(db, scope.workspace_id, run_id);
    if (!reply) throw notFound('run');
    return { conversation_id: reply.conversation_id, message_id: reply.id };
  }

  return {
    async list(scope, evaluation_id, page) {
      const row = await find(scope, evaluation_id);
      const window = pageOf(page);
      const shown = row.cases.slice(window.offset, window.offset + window.size);
      const items = shown.map((_, at) => present(row, window.offset + at));
      return pageAnswer(items, row.cases.length, window);
    },

    async get(scope, evaluation_id, id) {
      const row = await find(scope, evaluation_id);
      return present(row, positionOf(row, id));
    },

    create: append,

    async createFromMessage(scope, evaluation_id, { name, expected, criteria, ...from }) {
      if (!allows(scope.permissions, 'agents_run')) throw forbidden(lacksPermission(scope, 'agents_run'));
      await find(scope, evaluation_id);
      const { conversation_id, message_id } = await locate(scope, from);
      const made = await fromConversation(scope, conversation_id, message_id);
      if (!made) throw notFound('message');
      const { id: _, ...fields } = made;
      const given = { ...(name && { name }), ...(expected && { expected }), ...(criteria && { criteria }) };
      return append(scope, evaluation_id, { ...fields, ...given });
    },

    update: (scope, evaluation_id, id, patch) =>
      change(
        scope,
        evaluation_id,
        (before) => {
          const position = positionOf(before, id);
          return before.cases.with(position, applyPatch(required(before.cases[position]), patch));
        },
        (row) => present(row, positionOf(row, id)),
      ),

    remove: (scope, evaluation_id, id) =>
      change(
        scope,
        evaluation_id,
        (before) => before.cases.toSpliced(positionOf(before, id), 1),
        () => undefined,
      ),
  };
}
