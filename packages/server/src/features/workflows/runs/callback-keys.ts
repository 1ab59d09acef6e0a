import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Keyring } from '../../keyring/service.ts';

export const callbackKeyPurpose = () => 'workflow callbacks';

/** The secret that callbacks of a workspace are signed with, made when it is first needed. */
export function makeCallbackKeys({ db, keyring }: { db: Database; keyring: Keyring }) {
  const find = (workspace_id: string) =>
    db.row<{ sealed: string }>(sql`select sealed from workflow_callback_keys where workspace_id = ${workspace_id}`);

  return async (workspace_id: string): Promise<string> => {
    let row = await find(workspace_id);
    if (!row) {
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      const sealed = await keyring.seal(workspace_id, callbackKeyPurpose(), secret);
      await db.run(sql`
        insert into workflow_callback_keys (workspace_id, sealed) values (${workspace_id}, ${sealed})
        on conflict do nothing`);
      // Another may have been quicker.
      row = (await find(workspace_id)) as { sealed: string };
    }
    return keyring.open(workspace_id, callbackKeyPurpose(), row.sealed);
  };
}

export type CallbackKeys = ReturnType<typeof makeCallbackKeys>;

/** The three headers of the Standard Webhooks scheme: the receiver can tell that it is ours, whole and new. */
export function signed(secret: string, id: string, seconds: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
