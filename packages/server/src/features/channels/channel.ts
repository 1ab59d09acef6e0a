import { AppError, invalid } from '@atrium/contract/errors.ts';
import type { LiveDeployment } from '../deployments/service.ts';
import type { Carries, ReplyFile } from './reply-files.ts';

/** Where in its channel a thread lives; kept as the conversation's `channel_ref`. */
export type ChannelRef = Record<string, unknown>;

export interface InboundFile {
  name: string;
  /** Base64; else `url` says where the channel keeps it. */
  content?: string;
  url?: string;
}

/** One message as a channel delivered it. */
export interface Inbound {
  /** The same for every delivery of the same message. */
  event_id: string;
  /** The same for all messages of one thread. */
  thread: string;
  ref: ChannelRef;
  text: string;
  files: InboundFile[];
  /** The id of the sender, if the channel limits the rate of each sender. */
  sender?: string;
  /** What triggers choose by; none where the sender has addressed the agent in person. */
  place?: { team_id: string; channel: string };
  /** Not addressed to the agent: with `respond_to: mentions` it is answered only in a thread that the agent is in. */
  unaddressed?: boolean;
}

/** A piece of a reply that is to be sent. */
export interface Outgoing {
  /** Stays the same when it is sent again. */
  id: string;
  ref: ChannelRef;
  /** Markdown. */
  text: string;
  kind: 'message' | 'waiting' | 'notice';
  conversation_id: string;
  /** What this piece takes the place of, as `thinking` named it. */
  placeholder: string | null;
  /** It may have arrived before. */
  again: boolean;
  /** They come with the last piece of a reply. */
  files: LoadedFile[];
  /** The last value that an earlier, unfinished attempt passed to `keep`. */
  kept: unknown;
  /** Saves the progress of this attempt; called before a step whose result a crash could lose. */
  keep(steps: object): Promise<void>;
}

export interface LoadedFile extends ReplyFile {
  bytes: Buffer;
}

export interface SentBytes {
  bytes: Buffer;
  headers: Readonly<Record<string, string | undefined>>;
}

/** A way to reach people: checks what comes in and tells what goes out. */
export interface Channel {
  /** The most characters of one message. */
  limit: number;
  carries: Carries;
  /** Fails as unauthorized when it was not sent by whom it says. `answer` is what the sender waits for. */
  receive(
    deployment: LiveDeployment,
    sent: SentBytes,
  ): Promise<{ messages: Inbound[]; answer?: Record<string, unknown> }>;
  /** The bytes of a file that the channel keeps. */
  fetch?(deployment: LiveDeployment, file: InboundFile): Promise<Buffer>;
  /** Says that the agent thinks; answers what the reply is to take the place of, if anything. */
  thinking?(deployment: LiveDeployment, ref: ChannelRef, text: string, conversation_id: string): Promise<string | null>;
  send(deployment: LiveDeployment, outgoing: Outgoing): Promise<void>;
}

/**
 * A channel did not accept a request. The message is shown to the editors of the deployment: it holds no secret and
 * nothing of a conversation.
 */
export class ChannelFailure extends Error {
  /** Asking again does not help. */
  readonly final: boolean;
  readonly retry_after_ms: number | undefined;

  constructor(message: string, options: { final?: boolean; retry_after_ms?: number | undefined } = {}) {
    super(message);
    this.final = options.final ?? false;
    this.retry_after_ms = options.retry_after_ms;
  }
}

/** The signature does not match, or it is too old; the answer does not say which. */
export const forged = () =>
  new AppError('unauthorized', 'The signature of this request is not valid', { code: 'bad_signature' });

/** It comes from the right sender and still makes no sense. */
export const unreadable = (message: string) => invalid(['body'], message, null);
