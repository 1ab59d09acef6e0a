import { randomBytes } from 'node:crypto';
import { webhookCreate } from '@atrium/contract/webhooks/schema.ts';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { required } from '../../lib/required.ts';
import { removeUrlCredentials } from '../../lib/secrets/mask-url.ts';
import type { Keyring } from '../keyring/service.ts';
import { defineWorkspaceRecords } from '../personal-data/ports.ts';
import { secretPurpose } from './constants.ts';
import { insertWebhook, listWebhooks } from './store.ts';

const { url, events } = webhookCreate.shape;
const webhookRecord = z.object({
  id: z.guid(),
  name: z.string().min(1).max(200),
  ...{ url, events },
  /** Whether the address had credentials, which were left out. */
  has_secret: z.boolean(),
});
type WebhookRecord = z.output<typeof webhookRecord>;

/** As many as a workspace can have. */
const most = 100;

/** The webhooks of a workspace. They are imported switched off, with a secret that nobody knows. */
export const makeWebhookRecords = ({ db, keyring }: { db: Database; keyring: Keyring }) =>
  defineWorkspaceRecords<WebhookRecord>({
    kind: 'webhooks',
    schema: webhookRecord,
    async *list(workspace_id) {
      const { rows } = await listWebhooks(db, workspace_id, {}, { size: most, offset: 0 });
      for (const row of rows) {
        const open = removeUrlCredentials(row.url);
        const { id, name } = row;
        yield {
          ...{ id, url: open, has_secret: open !== row.url, name },
          events: row.events as WebhookRecord['events'],
        };
      }
    },
    nameOf: ({ name }) => name,
    idsOf: ({ id }) => [{ kind: 'webhook', id }],
    refuse: async () => undefined,
    async restore({ scope, idOf, note }, records) {
      for (const { id: old, has_secret, ...fields } of records) {
        const id = required(idOf('webhook', old));
        const made = `whsec_${randomBytes(32).toString('base64')}`;
        const secret = await keyring.seal(scope.workspace_id, secretPurpose(id), made);
        await insertWebhook(db, scope.workspace_id, { ...fields, id, secret, enabled: false });
        const tell = (detail: string) => note({ what: 'secret', kind: 'webhook', name: fields.name, detail });
        tell('secret');
        if (has_secret) tell('url');
      }
    },
  });
