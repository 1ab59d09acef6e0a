import * as z from 'zod';

/** What a caller can do with an item of each kind, and the operation that does it, whose permission decides. */
export const mayActions = {
  agent: {
    edit: 'agents.update',
    delete: 'agents.delete',
    run: 'conversations.create',
    unlock: 'unlockRequests.decide',
  },
  conversation: {
    edit: 'conversations.update',
    delete: 'conversations.delete',
    send: 'messages.send',
    share: 'conversations.share',
    lock: 'conversations.lock',
    unlock: 'conversations.unlock',
    reply: 'messages.replyAsPerson',
  },
  workflow: { edit: 'workflows.update', delete: 'workflows.delete', run: 'workflowRuns.start' },
  knowledge_base: {
    edit: 'knowledgeBases.update',
    delete: 'knowledgeBases.delete',
    search: 'knowledgeBases.search',
    reindex: 'knowledgeBases.reindex',
  },
  table: { edit: 'tables.update', delete: 'tables.delete', write: 'rows.insert' },
  file: { download: 'files.download', delete: 'files.delete' },
  variable: { edit: 'variables.update', delete: 'variables.delete' },
  trigger: { edit: 'triggers.update', delete: 'triggers.delete', fire: 'triggers.fire' },
  deployment: { edit: 'deployments.update', delete: 'deployments.delete', rotate: 'deployments.rotate' },
  api_key: { edit: 'keys.update', delete: 'keys.revoke', rotate: 'keys.rotate' },
  member: { edit: 'members.set', delete: 'members.remove' },
  role: { edit: 'roles.update', delete: 'roles.delete' },
  webhook: { edit: 'webhooks.update', delete: 'webhooks.delete', test: 'webhooks.test' },
  evaluation: { edit: 'evaluations.update', delete: 'evaluations.delete', run: 'evaluationRuns.start' },
} as const;

export type MayKind = keyof typeof mayActions;
export type MayAction<K extends MayKind> = keyof (typeof mayActions)[K] & string;
export type May<K extends MayKind> = Record<MayAction<K>, boolean>;

const kinds = new WeakMap<z.ZodType, MayKind>();

/** The field `may` of an item. Optional for the services, which do not fill it: every answer of the API has it. */
export function mayField(kind: MayKind) {
  const actions = Object.entries(mayActions[kind]).map(
    ([action, id]) => [action, z.boolean().describe(`Whether the caller may use \`${id}\` on it.`)] as const,
  );
  const field = z
    .strictObject(Object.fromEntries(actions))
    .optional()
    .describe('What the caller may do with the item as it is now. In every answer.');
  kinds.set(field, kind);
  return field;
}

/** The kind that a field `may` was made for. */
export const kindOfMay = (field: z.ZodType | undefined): MayKind | undefined => field && kinds.get(field);
