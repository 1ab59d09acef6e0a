import { isDeepStrictEqual } from 'node:util';
import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type {
  CaseFromMessage,
  EvaluationCaseCreate,
  EvaluationCaseEntry,
  EvaluationCasePatch,
} from '@atrium/contract/evaluations/case-schema.ts';
import { mostCases } from '@atrium/contract/evaluations/case-schema.ts';
import type { EvaluationCase } from '@atrium/contract/evaluations/schema.ts';
import { type Paged, type PageQuery, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { required } from '../../lib/required.ts';
import { lacksPermission, type Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import type { FindPii } from '../pii/ports.ts';
import type { CaseFromConversation } from './case-from-conversation.ts';
import { type CaseAccess, type FindCaseAccess, presentCase } from './sources/hide-cases.ts';
import { contentOf, type KnownCase } from './sources/known-case.ts';
import { withContent } from './sources/merge-cases.ts';
import { replacePersonalData } from './sources/replace-personal-data.ts';
import { deleteTextsOfCase } from './sources/sourced-case-store.ts';
import * as store from './store.ts';

/** The cases of evaluations, one at a time. */
export interface EvaluationCases {
  list(scope: Scope, evaluation_id: string, page: PageQuery): Promise<Paged<EvaluationCaseEntry>>;
  get(scope: Scope, evaluation_id: string, id: string): Promise<EvaluationCaseEntry>;
  create(scope: Scope, evaluation_id: string, create: EvaluationCaseCreate): Promise<EvaluationCaseEntry>;
  /** Makes a case of one message of a conversation that the caller sees. */
  createFromMessage(scope: Scope, evaluation_id: string, from: CaseFromMessage): Promise<EvaluationCaseEntry>;
  update(scope: Scope, evaluation_id: string, id: string, patch: EvaluationCasePatch): Promise<EvaluationCaseEntry>;
  /** Replaces personal data in a case and cuts it off from its conversation, which its owner or `runs_read_all` may do. */
  release(scope: Scope, evaluation_id: string, id: string): Promise<EvaluationCaseEntry>;
  remove(scope: Scope, evaluation_id: string, id: string): Promise<void>;
}

const present = (
  { id: evaluation_id, etag, cases }: store.EvaluationRow,
  position: number,
  access: CaseAccess,
): EvaluationCaseEntry => ({
  ...presentCase(required(cases[position]), access),
  ...{ evaluation_id, position, etag },
});

function positionOf({ cases }: store.EvaluationRow, id: string): number {
  const position = cases.findIndex((one) => one.id === id);
  if (position < 0) throw notFound('case');
  return position;
}

/** Fields that were sent empty are taken away. */
function applyPatch(before: KnownCase, patch: EvaluationCasePatch): KnownCase {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const entries = Object.entries({ ...contentOf(before), ...Object.fromEntries(given) });
  const content = Object.fromEntries(entries.filter(([, value]) => value !== '' && !isEmpty(value)));
  return withContent(before, content as unknown as EvaluationCase);
}
const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;

export function makeEvaluationCases(deps: {
  db: Database;
  transcript: Pick<Transcript, 'findReplyOfRun'>;
  fromConversation: CaseFromConversation;
  accessTo: FindCaseAccess;
  findPii: FindPii;
}): EvaluationCases {
  const { db, transcript, fromConversation, accessTo, findPii } = deps;

  async function find(scope: Scope, id: string): Promise<store.EvaluationRow> {
    const row = await store.findEvaluation(db, scope.workspace_id, id);
    if (!row) throw notFound('evaluation');
    return row;
  }

  /** Changes the cases while no other caller does. The transaction returns the case, which the audit log names. */
  const change = <T>(
    scope: Scope,
    id: string,
    work: (row: store.EvaluationRow, tx: Db) => readonly KnownCase[] | Promise<readonly KnownCase[]>,
    result: (row: store.EvaluationRow) => T,
  ): Promise<T> =>
    db.transaction(scope, async (tx) => {
      const row = await store.lockEvaluation(tx, scope.workspace_id, id);
      if (!row) throw notFound('evaluation');
      const cases = await work(row, tx);
      return result(required(await store.updateEvaluation(tx, scope.workspace_id, id, row.name, cases)));
    });

  async function append(scope: Scope, evaluation_id: string, made: KnownCase) {
    const access = await accessTo(scope, [made]);
    return change(
      scope,
      evaluation_id,
      ({ cases }) => {
        if (cases.length >= mostCases) throw conflict(`There are ${mostCases} cases already`, 'too_many_cases');
        return [...cases, made];
      },
      (row) => {
        // The name may be words of the conversation, and the audit log outlives it.
        if (made.origin === 'conversation')
          scope.audit?.note({ target: { kind: 'evaluation_case', id: made.id, name: null } });
        return present(row, row.cases.length - 1, access);
      },
    );
  }

  /** The case as it is now, and what the caller may do with it. */
  async function findCase(scope: Scope, evaluation_id: string, id: string) {
    const row = await find(scope, evaluation_id);
    const position = positionOf(row, id);
    const found = required(row.cases[position]);
    return { row, position, found, access: await accessTo(scope, [found]) };
  }

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
      const access = await accessTo(scope, shown);
      const items = shown.map((_, at) => present(row, window.offset + at, access));
      return pageAnswer(items, row.cases.length, window);
    },

    async get(scope, evaluation_id, id) {
      const { row, position, access } = await findCase(scope, evaluation_id, id);
      return present(row, position, access);
    },

    create: (scope, evaluation_id, create) =>
      append(scope, evaluation_id, { ...create, id: newId(), origin: 'written' }),

    async createFromMessage(scope, evaluation_id, { name, expected, criteria, ...from }) {
      if (!allows(scope.permissions, 'agents_run')) throw forbidden(lacksPermission(scope, 'agents_run'));
      await find(scope, evaluation_id);
      const { conversation_id, message_id } = await locate(scope, from);
      const made = await fromConversation(scope, conversation_id, message_id);
      if (!made) throw notFound('message');
      const given = { ...(name && { name }), ...(expected && { expected }), ...(criteria && { criteria }) };
      return append(scope, evaluation_id, { ...made, ...given });
    },

    async update(scope, evaluation_id, id, patch) {
      const { found, access } = await findCase(scope, evaluation_id, id);
      const hidden = access.reasonToHide(found);
      if (hidden !== null) throw forbidden(hidden, 'case_hidden');
      return change(
        scope,
        evaluation_id,
        (before) => {
          const position = positionOf(before, id);
          return before.cases.with(position, applyPatch(required(before.cases[position]), patch));
        },
        (row) => present(row, positionOf(row, id), access),
      );
    },

    async release(scope, evaluation_id, id) {
      const { found, access } = await findCase(scope, evaluation_id, id);
      if (!access.mayRelease(found)) {
        if (!allows(scope.permissions, 'insights_read')) throw notFound('evaluation');
        throw forbidden('Only the owner of the conversation, or runs_read_all, releases this case', 'not_owner');
      }
      if (found.origin === 'written' || found.origin === 'released')
        throw conflict('This case depends on no conversation', 'already_released');
      const content = await replacePersonalData(findPii, contentOf(found));
      const released_at = new Date().toISOString();
      return change(
        scope,
        evaluation_id,
        async (before, tx) => {
          const position = positionOf(before, id);
          // A change that came in between is not in the cleaned texts.
          if (!isDeepStrictEqual(before.cases[position], found))
            throw conflict('The case was changed meanwhile', 'case_changed');
          await deleteTextsOfCase(tx, scope.workspace_id, evaluation_id, id);
          return before.cases.with(position, { ...content, id, origin: 'released', released_at });
        },
        (row) => present(row, positionOf(row, id), access),
      );
    },

    remove: (scope, evaluation_id, id) =>
      change(
        scope,
        evaluation_id,
        (before) => before.cases.toSpliced(positionOf(before, id), 1),
        () => undefined,
      ),
  };
}
