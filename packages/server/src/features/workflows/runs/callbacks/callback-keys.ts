import { createHmac, randomBytes } from 'node:crypto';
import type { Database } from '../../../../db/database.ts';
import type { Keyring } from '../../../keyring/service.ts';
import { findCallbackKey, insertCallbackKey } from './callback-key-store.ts';

export const callbackKeyPurpose = () => 'workflow callbacks';

export type CallbackKeys = (workspace_id: string) => Promise<string>;

/** The secret that callbacks of a workspace are signed with; it is made when it is first needed. */
export function makeCallbackKeys({ db, keyring }: { db: Database; keyring: Keyring }): CallbackKeys {
  return async (workspace_id) => {
    let sealed = await findCallbackKey(db, workspace_id);
    if (sealed === undefined) {
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      await insertCallbackKey(db, workspace_id, await keyring.seal(workspace_id, callbackKeyPurpose(), secret));
      // Another request may have stored its key first.
      sealed = (await findCallbackKey(db, workspace_id)) as string;
    }
    return keyring.open(workspace_id, callbackKeyPurpose(), sealed);
  };
}

/** The three headers of the Standard Webhooks scheme, which prove sender, content and time. */
export function signatureHeaders(secret: string, id: string, seconds: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}
