import { buffer } from 'node:stream/consumers';
import type { ChannelName } from '@atrium/contract/deployments/channel-config.ts';
import { AppError } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../db/database.ts';
import type { JobContext } from '../../lib/define-job.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { errorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { MessageRow, Transcript } from '../conversations/ports.ts';
import { type Deployments, type LiveDeployment, principalOf } from '../deployments/service.ts';
import type { Files } from '../files/service.ts';
import type { MessagePart } from '../messages/ports.ts';
import { type Channel, ChannelFailure, type LoadedFile } from './channel.ts';
import { backoff } from './inbox.ts';
import { type ChannelReply, replyOf } from './render-reply.ts';
import type { ReplyFile } from './reply-files.ts';
import { nextTextPiece } from './split-text.ts';
import * as store from './store.ts';
import { stripRemoteImages } from './strip-remote-images.ts';

const mostAttempts = 12;
const waitingText = 'A person has to look at this first. The answer will come here.';

const partsOf = ({ parts }: MessageRow) => parseStored<MessagePart[]>(parts);
const hasPart = (message: MessageRow, type: MessagePart['type']) => partsOf(message).some((part) => part.type === type);

/** The text that a channel shows while a person is asked; the agent may have given its own. */
function waitingFor([message]: readonly MessageRow[]): string {
  const asked = message && partsOf(message).findLast(({ type }) => type === 'human-request');
  return asked?.content.trim() || waitingText;
}

/** Replies on their way out, in the order they were given, each until it has arrived or there is no hope left. */
export function makeOutbox(options: {
  db: Database;
  deployments: Deployments;
  channels: Readonly<Record<Exclude<ChannelName, 'web'>, Channel>>;
  transcript: Pick<Transcript, 'read' | 'getMessage' | 'listLatest'>;
  files: Pick<Files, 'read'>;
  deliverLater(tx: Db, workspace_id: string, conversation_id: string, at?: Date): Promise<void>;
}) {
  const { db, deployments, channels, transcript } = options;

  const words = (text: string): ChannelReply => ({ text, files: [] });

  async function replyIn(scope: Scope, row: store.OutboxRow, { carries }: Channel): Promise<ChannelReply> {
    if (row.kind === 'notice') return words(row.said ?? '');
    if (row.kind === 'waiting')
      return words(waitingFor(await transcript.listLatest(db, scope.workspace_id, row.conversation_id, 1)));
    const { settings, row: conversation } = await transcript.read(scope, row.conversation_id);
    try {
      const message = await transcript.getMessage(db, scope, row.conversation_id, row.message_id ?? '');
      // A reply that stops for a person's decision is sent as a whole afterwards, when it is stored again.
      const isWhole = conversation.status !== 'awaiting_human_feedback' || hasPart(message, 'handover');
      return isWhole ? replyOf(message, settings, carries) : words('');
    } catch (error) {
      // Another branch has taken its place since.
      if (error instanceof AppError && error.kind === 'not_found') return words('');
      throw error;
    }
  }

  /** A file that was deleted meanwhile is left out; the text and the remaining files are still sent. */
  async function loaded(scope: Scope, files: readonly ReplyFile[]): Promise<LoadedFile[]> {
    const found: LoadedFile[] = [];
    for (const file of files)
      try {
        found.push({ ...file, bytes: await buffer(await options.files.read(scope, file.id)) });
      } catch (error) {
        if (!(error instanceof AppError && error.kind === 'not_found')) throw error;
      }
    return found;
  }

  async function tell(deployment: LiveDeployment, row: store.OutboxRow, context: JobContext): Promise<void> {
    const { group_id: workspace_id } = deployment;
    const { id, conversation_id, kind } = row;
    const scope = { ...principalOf(deployment), request_id: String(id), ...context };
    const channel = channels[deployment.channel as Exclude<ChannelName, 'web'>];
    const thread = await store.threadOf(db, workspace_id, conversation_id);
    const ref = (row.run_id && (await store.channelRefOfRun(db, workspace_id, row.run_id))) || thread?.ref;
    if (!ref) throw new ChannelFailure('The thread of this conversation is not known', { final: true });
    const { text: said, files } = await replyIn(scope, row, channel);
    const text = deployment.config.allow_remote_images === true ? said : stripRemoteImages(said);
    const keep = async (steps: object) => void (await store.saveSendSteps(db, workspace_id, id, steps));
    let [at, again, placeholder] = [row.sent_length, row.attempts > 0, thread?.placeholder ?? null];
    let kept = row.steps;
    while (at < text.length) {
      context.signal.throwIfAborted();
      const { piece, to } = nextTextPiece(text, at, channel.limit);
      await store.countOutgoingAttempt(db, workspace_id, id);
      // The part of a growing message that was sent before is not sent again.
      const along = to < text.length ? [] : await loaded(scope, files.slice(row.sent_files));
      const where = { id: `${id}-${at}`, ref, kind, conversation_id };
      await context.requireLease?.();
      await channel.send(deployment, { ...where, text: piece, placeholder, again, files: along, kept, keep });
      await store.recordSentLength(db, workspace_id, id, to, to < text.length ? row.sent_files : files.length);
      if (placeholder !== null) await store.setPlaceholder(db, workspace_id, conversation_id, null);
      [at, again, placeholder, kept] = [to, false, null, null];
    }
  }

  /** Everything that a conversation has to tell its channel, as far as it gets. */
  return async (workspace_id: string, conversation_id: string, context: JobContext): Promise<void> => {
    for (;;) {
      context.signal.throwIfAborted();
      const row = await store.nextOutgoing(db, workspace_id, conversation_id);
      if (!row) return;
      const deployment = await deployments.live(row.deployment_id);
      if (!deployment) {
        await store.endOutgoing(db, workspace_id, row, 'failed');
        continue;
      }
      try {
        await tell(deployment, row, context);
        await store.endOutgoing(db, workspace_id, row, 'sent');
        await deployments.noteError(deployment, null);
      } catch (error) {
        if (context.signal.aborted) throw error;
        const failure = error instanceof ChannelFailure ? error : undefined;
        // The log line of an unreachable receiver has no stack: the code has no fault.
        const cause = failure ? { error: failure.message } : errorFields(error);
        context.log.warn('A channel did not take a reply', { outbox_id: row.id, ...cause });
        await deployments.noteError(deployment, failure?.message ?? 'A reply could not be delivered');
        if (failure?.final || row.attempts + 1 >= mostAttempts)
          await store.endOutgoing(db, workspace_id, row, 'failed');
        else {
          const due = failure?.retry_after_ms;
          const at = due === undefined ? backoff(row.attempts + 1) : new Date(Date.now() + Math.min(due, 3_600_000));
          return options.deliverLater(db, workspace_id, conversation_id, at);
        }
      }
    }
  };
}
