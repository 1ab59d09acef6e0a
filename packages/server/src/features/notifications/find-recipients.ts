import type { NotificationKind } from '@atrium/contract/notifications/kinds.ts';
import { type Permission, permissionsGranting } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import type { StoredOutboxMessage } from '../../db/outbox.ts';
import * as store from './recipient-store.ts';

/** Whom to notify of an event: these people, or all who hold a permission. */
export interface Notice {
  kind: NotificationKind;
  /** Permissions of which a person needs one to see it. */
  needs: readonly Permission[];
  /** `holders`: everybody who holds one of them. */
  people: readonly string[] | 'holders';
  /** Not these, who caused it or may not answer it. */
  except?: readonly (string | null)[];
  target: readonly [kind: string, id: string];
  parent?: readonly [kind: string, id: string] | undefined;
  actor_id?: string | null;
  /** With the target: the same is told once. */
  dedupe: string;
}

type FindNotice = (
  tx: Db,
  message: StoredOutboxMessage,
  data: Readonly<Record<string, string>>,
) => Promise<Notice | undefined>;

const today = ({ created_at }: StoredOutboxMessage) => created_at.slice(0, 10);
const parentIn = (data: Readonly<Record<string, string>>) => {
  const kind = ['conversation', 'workflow', 'agent', 'knowledge_base'].find((one) => data[`${one}_id`]);
  return kind === undefined ? undefined : ([kind, data[`${kind}_id`] as string] as const);
};
const peopleNamedIn = ({ data }: StoredOutboxMessage): string[] => {
  const named: unknown = data['people'];
  return Array.isArray(named) ? named.filter((id): id is string => typeof id === 'string') : [];
};
/** An owner who is a person, or the administrators of the workspace. */
const ownerOr = (owner: string | null, needs: readonly Permission[]) =>
  owner === null
    ? { people: 'holders' as const, needs: permissionsGranting('workspace_admin') }
    : { people: [owner], needs };

async function findApprovers(
  tx: Db,
  { workspace_id }: StoredOutboxMessage,
  { approval_id: id = '', type }: Readonly<Record<string, string>>,
): Promise<Pick<Notice, 'needs' | 'people'>> {
  // A question is answered by everybody who may answer in place of the agent.
  if (type === 'question') return { needs: permissionsGranting('conversations_read'), people: 'holders' };
  const needs = permissionsGranting(type === 'step' ? 'flows_run' : 'agents_run');
  return { needs, people: await store.toldOfApproval(tx, workspace_id, id) };
}

const rules: Readonly<Record<string, FindNotice>> = {
  async 'live:approval.asked'(tx, message, data) {
    const { approval_id = '', type, actor_id } = data;
    const common = { target: ['approval', approval_id], parent: parentIn(data), dedupe: 'asked' } as const;
    if (type === 'unlock') {
      const needs = permissionsGranting('org:admin');
      return {
        kind: 'unlock_asked',
        ...common,
        needs,
        people: 'holders',
        except: [actor_id ?? null],
        actor_id: actor_id ?? null,
      };
    }
    return { kind: 'approval_asked', ...common, ...(await findApprovers(tx, message, data)) };
  },

  async 'live:approval.answered'(_, __, data) {
    const { approval_id = '', type, person_id, actor_id, status } = data;
    if (type !== 'unlock' || !person_id || status === 'withdrawn') return undefined;
    return {
      ...{
        kind: 'unlock_answered',
        needs: permissionsGranting('agents_edit'),
        people: [person_id],
        except: [actor_id ?? null],
      },
      ...{ target: ['approval', approval_id], parent: parentIn(data), actor_id: actor_id ?? null, dedupe: 'answered' },
    };
  },

  async 'run.failed'(tx, { workspace_id }, data) {
    const { run_id = '', conversation_id, workflow_id } = data;
    const person_id = conversation_id
      ? await store.personOfConversation(tx, workspace_id, conversation_id)
      : await store.personOfWorkflowRun(tx, workspace_id, run_id);
    if (!person_id) return undefined;
    const needs = permissionsGranting(workflow_id ? 'flows_run' : 'agents_run');
    return {
      kind: 'run_failed',
      needs,
      people: [person_id],
      target: ['run', run_id],
      parent: parentIn(data),
      dedupe: 'failed',
    };
  },

  'budget.warned': async (_, __, data) => budgetNotice('budget_warned', data),
  'budget.reached': async (_, __, data) => budgetNotice('budget_reached', data),

  async 'live:deployment.failing'(tx, message, data) {
    const { deployment_id = '' } = data;
    const owner = await store.ownerOfDeployment(tx, message.workspace_id, deployment_id);
    return {
      ...{ kind: 'channel_failing', ...ownerOr(owner, permissionsGranting('agents_edit')) },
      ...{ target: ['deployment', deployment_id], parent: parentIn(data), dedupe: today(message) },
    };
  },

  async 'trigger.failed'(tx, message, { trigger_id = '' }) {
    const owner = await store.ownerOfTrigger(tx, message.workspace_id, trigger_id);
    const needs = [...permissionsGranting('agents_run'), ...permissionsGranting('flows_run')];
    return {
      kind: 'trigger_failed',
      ...ownerOr(owner, needs),
      target: ['trigger', trigger_id],
      dedupe: today(message),
    };
  },

  'webhook.disabled': async (_, message, { webhook_id = '' }) => ({
    ...{ kind: 'webhook_disabled', needs: permissionsGranting('integrations_edit'), people: 'holders' },
    ...{ target: ['webhook', webhook_id], dedupe: String(message.id) },
  }),

  'mcp_server.tools_held': async (_, message, { mcp_server_id = '' }) => ({
    ...{ kind: 'tools_held', needs: permissionsGranting('integrations_edit'), people: 'holders' },
    ...{ target: ['mcp_server', mcp_server_id], dedupe: today(message) },
  }),

  async 'live:conversation.shared'(_, message, data) {
    const { conversation_id = '', actor_id } = data;
    return {
      ...{ kind: 'shared', needs: permissionsGranting('agents_run'), people: peopleNamedIn(message) },
      ...{ target: ['conversation', conversation_id], actor_id: actor_id ?? null },
      dedupe: `${conversation_id} ${today(message)}`,
    };
  },

  // Many documents of one knowledge base are told of once a day.
  async 'live:document.shared'(_, message, data) {
    const { document_id = '', knowledge_base_id = '' } = data;
    return {
      ...{ kind: 'shared', needs: permissionsGranting('kbs_query'), people: peopleNamedIn(message) },
      ...{
        target: ['document', document_id],
        parent: parentIn(data),
        dedupe: `${knowledge_base_id} ${today(message)}`,
      },
    };
  },
};

const budgetNotice = (
  kind: NotificationKind,
  { budget_id = '', period_starts_on = '' }: Readonly<Record<string, string>>,
): Notice => ({
  ...{ kind, needs: permissionsGranting('workspace_admin'), people: 'holders' },
  ...{ target: ['budget', budget_id], dedupe: period_starts_on },
});

/** Whom an event of the outbox is told; undefined: nobody. */
export async function findNotice(tx: Db, message: StoredOutboxMessage): Promise<Notice | undefined> {
  const rule = rules[message.event];
  if (!rule) return undefined;
  const texts = Object.entries(message.data).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return rule(tx, message, Object.fromEntries(texts));
}
