import {
  channelTypes,
  definitionFields,
  type StoredDefinition,
  triggerTypes,
} from '@atrium/contract/triggers/schema.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { explainRefusal } from '../../lib/explain-refusal.ts';
import { required } from '../../lib/required.ts';
import { stripSecrets } from '../../lib/secrets/mask-secrets.ts';
import { defineWorkspaceRecords, type ImportTarget } from '../personal-data/ports.ts';
import { type SubjectField, subjectKinds } from './check-definition.ts';
import type { Triggers } from './ports.ts';
import { listAllTriggers, type TriggerRow } from './store.ts';

const { secret: _, ...fields } = definitionFields;
const mostSecrets = 10;
const triggerRecord = z.object({
  id: z.guid(),
  target_kind: z.enum(['workflow', 'agent']),
  target_id: z.guid(),
  version_id: z.guid().nullable(),
  name: z.string().min(1).max(300),
  definition: z.looseObject({ type: z.enum([...triggerTypes, ...channelTypes]), ...fields }),
  /** The places of secrets that were left out. */
  secrets: z.array(z.string().max(200)).max(mostSecrets),
});
type TriggerRecord = z.output<typeof triggerRecord>;

const pageSize = 200;
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** The agents, workflows, tables and knowledge bases that a trigger needs to be what it is. */
const neededBy = ({ target_kind, target_id, definition }: TriggerRecord) => [
  { kind: target_kind as string, id: target_id },
  ...Object.entries(subjectKinds).flatMap(([field, kind]) => {
    const id = definition[field as SubjectField];
    return id === undefined ? [] : [{ kind: kind as string, id }];
  }),
];

function recordOf(row: TriggerRow): TriggerRecord {
  const { id, target_kind, target_id, version_id, name, definition, secret } = row;
  const { auth, ...rest } = definition;
  const stripped = stripSecrets(rest);
  const places = new Set(stripped.places.map(([field]) => `definition.${field}`));
  return {
    ...{ id, target_kind, target_id, version_id, name },
    secrets: [...(secret === null ? [] : ['definition.secret']), ...places].slice(0, mostSecrets),
    definition: { ...stripped.value, ...(auth !== undefined && { auth }) },
  };
}

/** The triggers of a workspace. They are imported switched off, without secrets and with new addresses. */
export function makeTriggerRecords({ db, triggers }: { db: Database; triggers: Pick<Triggers, 'restore'> }) {
  async function restore({ scope, ...target }: ImportTarget, record: TriggerRecord): Promise<void> {
    const { name, target_kind, version_id, secrets } = record;
    const note = (what: 'secret' | 'left_out', detail: string) => target.note({ what, kind: 'trigger', name, detail });
    const version = version_id && target.idOf(`${target_kind}_version`, version_id);
    try {
      await triggers.restore(scope, {
        ...{ id: required(target.idOf('trigger', record.id)), name, target_kind, version_id: version || null },
        target_id: required(target.idOf(target_kind, record.target_id)),
        definition: JSON.parse(target.rewriteIds(JSON.stringify(record.definition))) as StoredDefinition,
      });
    } catch (error) {
      const why = explainRefusal(error);
      if (why === undefined) throw error;
      return note('left_out', why);
    }
    if (version_id && !version) note('left_out', `version_id: ${target_kind}_version ${version_id}`);
    for (const place of secrets) note('secret', place);
  }

  return defineWorkspaceRecords<TriggerRecord>({
    kind: 'triggers',
    schema: triggerRecord,
    async *list(workspace_id) {
      for (let after = beforeAll; ; ) {
        const rows = await listAllTriggers(db, workspace_id, after, pageSize);
        for (const row of rows) yield recordOf(row);
        if (rows.length < pageSize) return;
        after = required(rows.at(-1)).id;
      }
    },
    nameOf: ({ name }) => name,
    idsOf: ({ id }) => [{ kind: 'trigger', id }],
    async refuse(_scope, record, idOf) {
      const missing = neededBy(record).find(({ kind, id }) => !idOf(kind, id));
      return missing && `${missing.kind} ${missing.id} is not imported`;
    },
    async restore(target, records) {
      for (const record of records) await restore(target, record);
    },
  });
}
