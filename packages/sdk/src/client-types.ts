import type { LiveEvent } from '@atrium/contract/events/schema.ts';
import type { UiChunk } from '@atrium/contract/runs/ui-chunk.ts';
import type { EventStream } from './event-stream.ts';
import type { AnswerOf, ArgumentsOf, BodyOf, Methods, OperationId, QueryOf, Resource } from './operation-types.ts';
import type { ClientOptions, StreamOptions } from './options.ts';
import type { RunPart } from './sources.ts';
import type { ResumableOptions } from './upload-resumable.ts';

type Reply = EventStream<UiChunk>;
type JoinOptions = Omit<StreamOptions, 'query'> & {
  /** The `etag` of the conversation as the client has read it: an answer that ended since is sent too. */
  etag?: string | undefined;
};
type BranchOptions = Omit<StreamOptions, 'query'>;

/** Methods besides the operations: streams that resume, and uploads in parts. */
export interface Extras {
  conversations: {
    /** Sends a message and streams the answer. */
    stream(
      id: string,
      body: BodyOf<'messages.stream'>,
      options?: BranchOptions & { query?: Pick<QueryOf<'messages.stream'>, 'if_running'> | undefined },
    ): Reply;
    /** Joins the answer that is being given, or goes on after `lastEventId`. */
    events(id: string, options?: JoinOptions): Reply;
    /** Replaces a message of the user and streams the answer to it. */
    streamEdit(id: string, messageId: string, body: BodyOf<'messages.edit'>, options?: BranchOptions): Reply;
    /** Streams another answer to a message, of the models of the settings or of those that are chosen for it. */
    streamRegenerate(
      id: string,
      messageId: string,
      options?: BranchOptions & { modelSelection?: BodyOf<'messages.regenerate'>['model_selection'] },
    ): Reply;
  };
  publicConversations: {
    stream(token: string, body: BodyOf<'publicConversations.stream'>, options?: BranchOptions): Reply;
    events(token: string, options?: JoinOptions): Reply;
  };
  runs: {
    /** The events of a run of an agent or a workflow, from the first one on. */
    events(id: string, options?: BranchOptions): EventStream<RunPart>;
    /** The answer that a run of an agent gives, from its beginning. */
    stream(id: string, options?: BranchOptions): Reply;
  };
  files: {
    /** Uploads a large file in parts, and goes on after a lost connection. */
    uploadResumable(file: Blob, options?: ResumableOptions): Promise<AnswerOf<'files.get'>>;
  };
}

export type Client = {
  [R in Exclude<Resource, 'events'>]: Methods<R> & (R extends keyof Extras ? Extras[R] : unknown);
} & {
  readonly options: ClientOptions;
  /** What happens in the workspace, without an end: abort its signal to stop. */
  events(options?: BranchOptions & { types?: string | readonly string[] | undefined }): EventStream<LiveEvent>;
  /** The same client in another workspace. */
  inWorkspace(workspaceId: string | undefined): Client;
  /** The address of an operation, for links and images. The arguments are those of its method. */
  url<Id extends OperationId>(id: Id, ...args: ArgumentsOf<Id>): string;
};
