import { createHash } from 'node:crypto';
import type { AttachmentInput } from '@atrium/contract/attachments/schema.ts';
import type { ChannelName } from '@atrium/contract/deployments/channel-config.ts';
import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import { type Database, type Db, isDuplicate } from '../../db/database.ts';
import type { JobContext } from '../../lib/define-job.ts';
import { newId } from '../../lib/ids.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { errorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import type { Conversations } from '../conversations/service.ts';
import { type Deployments, type LiveDeployment, principalOf } from '../deployments/service.ts';
import type { Runs } from '../runs/service.ts';
import { type Channel, ChannelFailure, type Inbound, type InboundFile, type SentBytes } from './channel.ts';
import { channelInstructions } from './channel-instructions.ts';
import { identifyEndUser } from './identify-end-user.ts';
import { countAgainstRates, limitOf } from './rate-limits.ts';
import * as store from './store.ts';

/** Whether the triggers of an agent let a message through to it; one without triggers of this kind hears everything. */
export type Chooses = (
  workspace_id: string,
  agent_id: string,
  type: 'slack' | 'teams',
  message: { team_id: string; channel: string; text: string },
) => Promise<boolean>;

export interface ThreadWork {
  workspace_id: string;
  deployment_id: string;
  thread: string;
}

export interface InboxOptions {
  db: Database;
  deployments: Deployments;
  channels: Readonly<Record<Exclude<ChannelName, 'web'>, Channel>>;
  conversations: Pick<Conversations, 'create'>;
  transcript: Pick<Transcript, 'read'>;
  runs: Pick<Runs, 'send'>;
  chooses: Chooses;
  /** Has the messages of a thread looked at, now or then. */
  receiveLater(tx: Db, work: ThreadWork, at?: Date): Promise<void>;
  deliverLater(tx: Db, workspace_id: string, conversation_id: string): Promise<void>;
}

const mostAttempts = 8;
/** A second, two, four … up to an hour. */
export const backoff = (attempts: number) => new Date(Date.now() + Math.min(3_600_000, 500 * 2 ** attempts));

/** Keys of indexes are short. */
const short = (text: string) => (text.length <= 200 ? text : createHash('sha256').update(text).digest('hex'));

const scopeOf = (deployment: LiveDeployment, context: JobContext, request_id: string): Scope => ({
  ...principalOf(deployment),
  ...{ request_id, ...context },
});

/**
 * A refusal of the conversation is sent to the writer in plain words; after any other error the message is tried
 * again.
 */
function refusal(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return 'This message could not be taken: a file in it can not be read here.';
  if (error instanceof AppError && ['locked', 'conflict', 'too_large'].includes(error.kind)) return error.message;
  return undefined;
}

export interface Inbox {
  /** Verifies and stores a request of a channel; it is answered only then. */
  accept(deployment: LiveDeployment, sent: SentBytes): Promise<Record<string, unknown>>;
  /** Puts the waiting messages of a thread into their conversation, one after another. */
  receive(work: ThreadWork, context: JobContext): Promise<void>;
}

/** Messages from channels are stored and acknowledged, then put into their conversation, each once. */
export function makeInbox(options: InboxOptions): Inbox {
  const { db, deployments, channels, transcript } = options;

  /** Whether the agent is to hear a message that begins a thread, or belongs to one that it is not in. */
  async function heard({ group_id, agent_id, config, channel }: LiveDeployment, message: Omit<Inbound, 'event_id'>) {
    if (message.unaddressed && config.respond_to === 'mentions') return false;
    if (!message.place || (channel !== 'slack' && channel !== 'teams')) return true;
    return options.chooses(group_id, agent_id, channel, { ...message.place, text: message.text });
  }

  async function taken(deployment: LiveDeployment, channel: Channel, file: InboundFile): Promise<AttachmentInput> {
    const bytes =
      file.content === undefined && channel.fetch
        ? await channel.fetch(deployment, file)
        : Buffer.from(file.content ?? '', 'base64');
    return { status: 'success', name: file.name, b64_content: bytes, size: bytes.length, type: '' };
  }

  /** A file that can't be had in a few tries does not keep what was said with it from being heard. */
  async function filesOf(deployment: LiveDeployment, channel: Channel, wanted: InboundFile[], attempts: number) {
    const [files, missing]: [AttachmentInput[], string[]] = [[], []];
    for (const file of wanted)
      try {
        files.push(await taken(deployment, channel, file));
      } catch (error) {
        if (!(error instanceof ChannelFailure) || (!error.final && attempts < 2)) throw error;
        missing.push(file.name);
      }
    return { files, missing };
  }

  /** The conversation of a thread; its id is that of the message that begins it, so it is made once. */
  async function begin(scope: Scope, deployment: LiveDeployment, row: store.InboxRow): Promise<string> {
    const from = {
      user: identifyEndUser(deployment.channel, deployment.id, row.ref),
      deployment_id: deployment.id,
      channel_ref: row.ref,
      instructions: channelInstructions(deployment),
    };
    try {
      await options.conversations.create(
        scope,
        deployment.agent_id,
        { preview: false },
        deployment.channel,
        row.id,
        from,
      );
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    return row.id;
  }

  async function take(deployment: LiveDeployment, row: store.InboxRow, context: JobContext): Promise<void> {
    const { group_id: workspace_id, id: deployment_id } = deployment;
    const message = { ...parseStored<Omit<Inbound, 'event_id' | 'thread' | 'ref'>>(row.payload), ...row };
    const channel = channels[deployment.channel as Exclude<ChannelName, 'web'>];
    const known = await store.findThread(db, workspace_id, deployment_id, row.thread);
    if (!known && !(await heard(deployment, message)))
      return void (await store.endInbound(db, workspace_id, row.id, 'ignored'));
    const scope = scopeOf(deployment, context, row.id);
    const conversation_id = known?.conversation_id ?? (await begin(scope, deployment, row));
    await store.upsertThread(db, workspace_id, deployment_id, { thread: row.thread, conversation_id, ref: row.ref });
    try {
      if (row.attempts === 0) await think(scope, deployment, channel, row, conversation_id);
      const { files, missing } = await filesOf(deployment, channel, message.files, row.attempts);
      const named = message.text.trim() || `[${message.files.map(({ name }) => name).join(', ')}]`;
      const content = [named, ...missing.map((name) => `[The file ${name} could not be fetched]`)].join('\n');
      // The row's id is the request's key: a job that is done again joins the run it has begun.
      const request_key = { key: row.id, fingerprint: createHash('sha256').update(row.id).digest() };
      const { run } = await options.runs.send(
        { ...scope, request_key },
        conversation_id,
        { content, files },
        'enqueue',
        // Where the channel knows who writes, and lets in colleagues alone, they may be believed.
        deployment.config.trusted_senders === true ? { brings: [] } : {},
      );
      await store.endInbound(db, workspace_id, row.id, 'done', run.id);
      await deployments.noteMessage(db, workspace_id, deployment_id);
    } catch (error) {
      const said = refusal(error);
      if (said === undefined) throw error;
      await db.transaction(undefined, async (tx) => {
        await store.insertNotice(tx, workspace_id, { deployment_id, conversation_id, said });
        await store.endInbound(tx, workspace_id, row.id, 'done');
        await options.deliverLater(tx, workspace_id, conversation_id);
      });
    }
  }

  /**
   * A courtesy: when it fails, the answer still arrives. It is sent before the agent starts, since a quick answer
   * would overtake it and the placeholder would stand last.
   */
  async function think(
    scope: Scope,
    deployment: LiveDeployment,
    channel: Channel,
    { ref }: store.InboxRow,
    conversation_id: string,
  ): Promise<void> {
    const { settings } = await transcript.read(scope, conversation_id);
    const text = settings.transport_thinking_text.trim();
    if (!text || !channel.thinking) return;
    await scope.requireLease?.();
    try {
      const placeholder = await channel.thinking(deployment, ref, text, conversation_id);
      if (placeholder !== null) await store.setPlaceholder(db, scope.workspace_id, conversation_id, placeholder);
    } catch (error) {
      scope.log.warn('A channel was not told that the agent thinks', errorFields(error));
    }
  }

  /** Whether a sender exceeds the rate of people; a sender that answers each answer at once is a program. */
  async function writesTooMuch(tx: Db, deployment: LiveDeployment, sender: string | undefined): Promise<boolean> {
    if (sender === undefined) return false;
    const most = limitOf(deployment.channel, deployment.config, 'max_sender_messages_per_hour');
    return (
      (await countAgainstRates(tx, deployment, [{ counted: `sent by ${short(sender)}`, most, seconds: 3600 }])) > 0
    );
  }

  /** A message is stored once, and has its turn from then on. */
  async function keep(deployment: LiveDeployment, message: Inbound): Promise<void> {
    const { group_id: workspace_id, id: deployment_id } = deployment;
    const { sender, ...kept } = { ...message, event_id: short(message.event_id), thread: short(message.thread) };
    const id = newId();
    const ignored = await db.transaction(undefined, async (tx) => {
      if (!(await store.insertInbound(tx, workspace_id, deployment_id, id, kept))) return false;
      const tooMuch = await writesTooMuch(tx, deployment, sender);
      if (tooMuch) await store.endInbound(tx, workspace_id, id, 'ignored');
      else await options.receiveLater(tx, { workspace_id, deployment_id, thread: kept.thread });
      return tooMuch;
    });
    if (ignored)
      await deployments.noteError(deployment, 'A sender wrote too much in an hour, and is not answered for now');
  }

  return {
    async accept(deployment, sent) {
      const name = deployment.channel as Exclude<ChannelName, 'web'>;
      const { messages, answer } = await channels[name].receive(deployment, sent);
      for (const message of messages) await keep(deployment, message);
      return answer ?? { success: true };
    },

    async receive(work, context) {
      const { workspace_id, deployment_id, thread } = work;
      for (;;) {
        context.signal.throwIfAborted();
        const row = await store.nextInbound(db, workspace_id, deployment_id, thread);
        if (!row) return;
        const deployment = await deployments.live(deployment_id);
        if (!deployment) {
          await store.endInbound(db, workspace_id, row.id, 'ignored');
          continue;
        }
        try {
          await take(deployment, row, context);
        } catch (error) {
          if (context.signal.aborted) throw error;
          context.log.warn('A message of a channel could not be taken', { inbox_id: row.id, ...errorFields(error) });
          const final = row.attempts + 1 >= mostAttempts || (error instanceof ChannelFailure && error.final);
          const told = error instanceof ChannelFailure ? error.message : 'A message could not be taken';
          await deployments.noteError(deployment, told);
          if (final) await store.endInbound(db, workspace_id, row.id, 'failed');
          else {
            await store.countInboundAttempt(db, workspace_id, row.id);
            return void (await options.receiveLater(db, work, backoff(row.attempts + 1)));
          }
        }
      }
    },
  };
}
