import { variable } from '@atrium/contract/variables/schema.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { required } from '../../lib/required.ts';
import { defineWorkspaceRecords, type ImportTarget } from '../personal-data/ports.ts';
import type { Variables } from './service.ts';
import { listVariables } from './store.ts';

const { type, source, is_secret } = variable.shape;
const variableRecord = z.object({
  id: z.guid(),
  name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,99}$/),
  ...{ type, source, is_secret },
  allowed_hosts: z.array(z.string().min(1).max(260)).max(100).nullable(),
  /** Of plain variables alone. */
  inline_value: z.string().max(100_000).nullable(),
  env_var_name: z.string().max(200).nullable(),
});
type VariableRecord = z.output<typeof variableRecord>;

const pageSize = 200;

/** Why a variable has no value after an import. */
function explainMissing({ source: from, env_var_name }: VariableRecord): string {
  if (from === 'vault') return 'It was read from a vault; set a value or its vault';
  if (from === 'environment')
    return `It was read from the environment variable ${env_var_name}; set a value or its source`;
  return 'Its value has to be set';
}

/**
 * The variables of a workspace, as an archive of the workspace has them. A secret comes without its value. What a vault or
 * the environment held does too: an archive from elsewhere must not name which secret of this server it gets.
 */
export function makeVariableRecords({ db, variables }: { db: Database; variables: Variables }) {
  async function* list(workspace_id: string): AsyncGenerator<VariableRecord> {
    for (let offset = 0; ; offset += pageSize) {
      const { rows } = await listVariables(db, workspace_id, {}, { size: pageSize, offset });
      for (const row of rows)
        yield {
          ...{ id: row.id, name: row.name, type: row.type, source: row.source, is_secret: row.is_secret },
          ...{ allowed_hosts: row.allowed_hosts, env_var_name: row.env_var_name },
          inline_value: row.is_secret ? null : await variables.inlineOf(row),
        };
      if (rows.length < pageSize) return;
    }
  }

  /** The value that the new variable gets; null: none. */
  function restoredValue(record: VariableRecord, { idOf, rewriteIds }: ImportTarget): string | null {
    if (record.source !== 'inline' || record.is_secret || record.inline_value === null) return null;
    if (record.type === 'file') return idOf('file', record.inline_value) ?? null;
    return rewriteIds(record.inline_value);
  }

  return defineWorkspaceRecords<VariableRecord>({
    kind: 'variables',
    schema: variableRecord,
    list,
    nameOf: ({ name }) => name,
    idsOf: ({ id }) => [{ kind: 'variable', id }],
    refuse: async () => undefined,
    async restore(target, records) {
      for (const record of records) {
        const { name, allowed_hosts } = record;
        const inline_value = restoredValue(record, target);
        const fields = { name, type: record.type, is_secret: record.is_secret, allowed_hosts, inline_value };
        await variables.restore(target.scope, required(target.idOf('variable', record.id)), fields);
        if (inline_value === null)
          target.note({ what: 'secret', kind: 'variable', name, detail: explainMissing(record) });
      }
    },
  });
}
