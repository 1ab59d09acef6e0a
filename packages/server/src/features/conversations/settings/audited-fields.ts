import { parseStored } from '../../../lib/json/parse-stored.ts';
import { pick } from '../../../lib/pick.ts';
import type { ConversationRow } from '../store.ts';

/** What the audit log says of a conversation; its name and tags are content. */
export const auditedFields = (row: ConversationRow) => ({
  ...pick(row, ['assistant_version_id', 'manual', 'is_locked', 'unlocked']),
  ...pick(row, ['public_access_expires_at', 'public_access_read_only']),
  shared: row.public_token !== null,
  settings: row.settings === null ? {} : parseStored<Record<string, unknown>>(row.settings),
});
