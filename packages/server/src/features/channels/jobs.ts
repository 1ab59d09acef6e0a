import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { defineJob, type JobContext } from '../../lib/define-job.ts';
import type { ThreadWork } from './inbox.ts';
import { deleteOldMessages } from './store.ts';

/** Messages of a thread, and replies of a conversation, are handled one at a time: each has a queue of its own. */
export const receiveQueue = ({ deployment_id, thread }: ThreadWork) => `channel-in ${deployment_id} ${thread}`;
export const deliverQueue = (conversation_id: string) => `channel-out ${conversation_id}`;

/** The jobs that receive and deliver messages of channels. A migration names `channels.deliver` too. */
export const makeChannelJobs = (options: {
  db: Database;
  receive(work: ThreadWork, context: JobContext): Promise<void>;
  deliver(workspace_id: string, conversation_id: string, context: JobContext): Promise<void>;
}) => ({
  receive: defineJob({
    job: 'channels.receive',
    payload: z.object({ workspace_id: z.guid(), deployment_id: z.guid(), thread: z.string() }),
    attempts: 25,
    handler: (context, work) => options.receive(work, context),
  }),
  deliver: defineJob({
    job: 'channels.deliver',
    payload: z.object({ workspace_id: z.guid(), conversation_id: z.guid() }),
    attempts: 25,
    handler: (context, { workspace_id, conversation_id }) => options.deliver(workspace_id, conversation_id, context),
  }),
  forget: defineJob({
    job: 'channels.forget',
    payload: z.object({}),
    attempts: 1,
    schedule: '41 3 * * *',
    handler: () => deleteOldMessages(options.db),
  }),
});
