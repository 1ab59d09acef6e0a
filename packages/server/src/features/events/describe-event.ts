import { type EventKind, eventKinds } from '@atrium/contract/events/kinds.ts';
import type { LiveEvent } from '@atrium/contract/events/schema.ts';
import type { StoredOutboxMessage } from '../../db/outbox.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import type { NewEvent } from './store.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Events of the outbox that only readers of a workspace are sent. */
const livePrefix = 'live:';
export const isLiveOnly = ({ event }: Pick<StoredOutboxMessage, 'event'>) => event.startsWith(livePrefix);

const pastTense: Readonly<Record<string, string>> = {
  ...{ create: 'created', import: 'created', createFromFile: 'created', update: 'updated', delete: 'deleted' },
  ...{ restore: 'restored', publish: 'published', lock: 'locked', unlock: 'unlocked', share: 'shared' },
  ...{ unshare: 'unshared', revoke: 'revoked', rotate: 'rotated', crawl: 'crawled', reindex: 'reindexed' },
};

/** Their rows have triggers of their own, which know whose they are; some are told here with who did it. */
const toldByRows = /^(approvals|unlockRequests|documents)\.|^conversations\.delete$/;

const isKind = (kind: string): kind is EventKind => Object.hasOwn(eventKinds, kind);
const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** A change of configuration, from its row in the audit log. */
function describeChange(row: Fields): Omit<NewEvent, 'created_at'> | undefined {
  const operation = String(row['operation']);
  const [, verb = ''] = operation.split('.');
  if (toldByRows.test(operation)) return undefined;
  let [kind, target_id] = [String(row['target_kind']), text(row['target_id'])];
  let [parent_kind, parent_id] = [text(row['parent_kind']), text(row['parent_id'])];
  // What is published is the agent.
  if (operation === 'agentVersions.publish' && parent_id)
    [kind, target_id, parent_kind, parent_id] = ['agent', parent_id, kind, target_id];
  // A case is a part of its evaluation, and a mark of its run.
  const isPart = kind === 'evaluation_case' && parent_kind !== null;
  if (isPart) [kind, target_id, parent_kind, parent_id] = [String(parent_kind), parent_id, null, null];
  if (!isKind(kind)) return undefined;
  return {
    ...{
      event: `${kind}.${isPart ? 'updated' : (pastTense[verb] ?? 'updated')}`,
      kind,
      target_id,
      parent_kind,
      parent_id,
    },
    ...{ actor_id: text(row['actor_id']), person_id: null, data: {}, hidden: false },
    conversation_id: kind === 'conversation' ? target_id : null,
  };
}

/** The field that has the id of a record, by its kind. */
const idFields: Readonly<Record<string, string>> = { row: 'row_id' };
const parents = ['conversation', 'workflow', 'agent', 'knowledge_base', 'table', 'evaluation'] as const;

/** The states that an event carries; everything else of its data stays here. */
function statesOf(data: Fields): LiveEvent['data'] {
  const { code } = fieldsOf(data['error']);
  const states = Object.fromEntries(
    ['status', 'type', 'stage', 'progress', 'count'].flatMap((name) => {
      const value = data[name];
      return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
    }),
  );
  return { ...states, ...(typeof code === 'string' && { code }) };
}

/** What readers are sent of a message of the outbox; undefined: nothing. */
export function describeEvent({ event, data, created_at }: StoredOutboxMessage): NewEvent | undefined {
  const name = event.startsWith(livePrefix) ? event.slice(livePrefix.length) : event;
  if (name === 'changed') {
    const change = describeChange(data);
    return change && { ...change, created_at };
  }
  const kind = name.split('.', 1)[0] as string;
  if (!isKind(kind)) return undefined;
  const parent = parents.find((one) => one !== kind && typeof data[`${one}_id`] === 'string');
  return {
    ...{ event: name, kind, target_id: text(data[idFields[kind] ?? `${kind}_id`]) },
    ...{ parent_kind: parent ?? null, parent_id: parent ? text(data[`${parent}_id`]) : null },
    ...{ actor_id: text(data['actor_id']), person_id: text(data['person_id']), created_at },
    conversation_id: text(data['conversation_id']),
    data: {
      ...statesOf(data),
      ...(kind === 'approval' && typeof data['run_id'] === 'string' && { run_id: data['run_id'] }),
    },
    // What does not say that everybody could see the document is for those who see it now.
    hidden: data['hidden'] !== false,
  };
}
