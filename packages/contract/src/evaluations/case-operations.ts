import { operation } from '../operation.ts';
import { conflicts, noSuch, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import {
  caseFromMessage,
  evaluationCaseCreate,
  evaluationCaseEntry,
  evaluationCaseListQuery,
  evaluationCasePage,
  evaluationCaseParams,
  evaluationCasePatch,
} from './case-schema.ts';
import { evaluationMark, evaluationMarkBody, evaluationMarkParams } from './mark-schema.ts';
import { evaluationsRoutes } from './routes.ts';
import { evaluationParams } from './schema.ts';

const tag = 'Evaluations';
const tooMany = conflicts('too_many_cases', 'The evaluation has 1,000 cases already.');

export const listEvaluationCases = operation({
  id: 'evaluationCases.list',
  route: evaluationsRoutes['evaluationCases.list'],
  summary: 'List the cases of an evaluation',
  description: 'Returns the cases page by page, in the order in which they are tried.',
  tag,
  permission: 'insights_read',
  params: evaluationParams,
  query: evaluationCaseListQuery,
  answer: evaluationCasePage,
});

export const createEvaluationCase = operation({
  id: 'evaluationCases.create',
  route: evaluationsRoutes['evaluationCases.create'],
  summary: 'Add a case to an evaluation',
  description: 'Adds one case after the others. Runs keep the cases that they began with.',
  tag,
  permission: 'agents_edit',
  params: evaluationParams,
  body: evaluationCaseCreate,
  example: { messages: ['How long does a refund take?'], expected: 'five days', match: 'contains' },
  errors: [noSuch('evaluation'), tooMany],
  answer: evaluationCaseEntry,
});

export const createCaseFromMessage = operation({
  id: 'evaluationCases.createFromMessage',
  route: evaluationsRoutes['evaluationCases.createFromMessage'],
  summary: 'Add a case that is made of one message',
  description:
    'Makes a case of a question and its answer, with the turns before them and what the tools answered. Personal data is replaced. The case is read by those who may read the conversation, and deleted with it, until it is released. The caller needs `agents_run` and must see the conversation: people without `conversations_read` take only their own.',
  tag,
  permission: 'agents_edit',
  params: evaluationParams,
  body: caseFromMessage,
  example: {
    conversation_id: '00000000-0000-7000-8000-000000000000',
    message_id: '00000000-0000-7000-8000-000000000000',
  },
  errors: [
    noSuch('evaluation, conversation, message or run'),
    refused('forbidden', 'The caller may not read conversations.'),
    tooMany,
  ],
  answer: evaluationCaseEntry,
});

export const getEvaluationCase = operation({
  id: 'evaluationCases.get',
  route: evaluationsRoutes['evaluationCases.get'],
  summary: 'Get a case of an evaluation',
  description:
    'Returns one case as it is now, with its `etag`. Use it before a change, or to open the case that a result names.',
  tag,
  permission: 'insights_read',
  params: evaluationCaseParams,
  answer: evaluationCaseEntry,
});

export const updateEvaluationCase = operation({
  id: 'evaluationCases.update',
  route: evaluationsRoutes['evaluationCases.update'],
  summary: 'Update a case of an evaluation',
  description:
    'Changes the given fields of one case; the others stay. `If-Match` takes the `etag` of the evaluation, which every change of a case moves on.',
  tag,
  permission: 'agents_edit',
  params: evaluationCaseParams,
  body: evaluationCasePatch,
  example: { expected: 'six days' },
  errors: [noSuch('evaluation or case'), refused('case_hidden', 'The caller may not read the case.')],
  answer: evaluationCaseEntry,
});

export const releaseEvaluationCase = operation({
  id: 'evaluationCases.release',
  route: evaluationsRoutes['evaluationCases.release'],
  summary: 'Release a case that is made of a conversation',
  description:
    'Replaces personal data in the case and cuts it off from its conversation: from then on all who read evaluations read it, and it outlives the conversation. Results that were computed from it before are deleted. The caller must have begun the conversation, or have `runs_read_all`; only the latter releases a case whose source is not known.',
  tag,
  permission: 'agents_run',
  params: evaluationCaseParams,
  errors: [
    noSuch('evaluation or case'),
    refused('not_owner', 'The conversation belongs to another person or key.'),
    conflicts('already_released', 'The case has no conversation that it depends on.'),
  ],
  answer: evaluationCaseEntry,
});

export const deleteEvaluationCase = operation({
  id: 'evaluationCases.delete',
  route: evaluationsRoutes['evaluationCases.delete'],
  summary: 'Delete a case of an evaluation',
  description: 'Takes one case out of the evaluation. Results of earlier runs stay.',
  tag,
  permission: 'agents_edit',
  params: evaluationCaseParams,
  answer: success,
});

export const setEvaluationMark = operation({
  id: 'evaluationMarks.set',
  route: evaluationsRoutes['evaluationMarks.set'],
  summary: 'Mark the result of a case',
  description:
    "Stores what the caller thinks of an answer, beside the machine's verdict; a second mark of the same caller replaces the first. Marks do not change `passed`, and a gate before publishing does not heed them.",
  tag,
  permission: 'conversations_read',
  params: evaluationMarkParams,
  body: evaluationMarkBody,
  example: { passed: false, note: 'It names the wrong office.' },
  errors: [noSuch('evaluation run or result')],
  answer: evaluationMark,
});

export const deleteEvaluationMark = operation({
  id: 'evaluationMarks.delete',
  route: evaluationsRoutes['evaluationMarks.delete'],
  summary: "Take back the caller's mark",
  description: 'Deletes the mark that the caller has given this result. Marks of others stay.',
  tag,
  permission: 'conversations_read',
  params: evaluationMarkParams,
  answer: success,
});

export const evaluationCaseOperations = [
  listEvaluationCases,
  createEvaluationCase,
  createCaseFromMessage,
  getEvaluationCase,
  updateEvaluationCase,
  releaseEvaluationCase,
  deleteEvaluationCase,
  setEvaluationMark,
  deleteEvaluationMark,
];
