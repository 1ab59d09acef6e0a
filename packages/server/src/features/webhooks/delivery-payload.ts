import type { StoredOutboxMessage } from '../../db/outbox.ts';

/** The body of a delivery, in the shape that the Standard Webhooks specification proposes. */
export const payloadOf = ({
  event,
  created_at,
  workspace_id,
  data,
}: Pick<StoredOutboxMessage, 'event' | 'created_at' | 'workspace_id' | 'data'>) =>
  JSON.stringify({ type: event, timestamp: created_at, workspace_id, data });
