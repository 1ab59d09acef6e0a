import type { UiMessage } from '@atrium/contract/conversations/schema.ts';
import type { ApprovalReason, GuardAction, MessageMetadata, RunEvent } from '@atrium/contract/runs/events.ts';
import type { Taint, ToolProgress, ToolSource } from '@atrium/contract/tools/tool-result.ts';
import type { ModelTool, ToolChoice } from '../../drivers/models/driver.ts';

export type { HiddenParts } from './hidden-parts.ts';
export type { UiChunk } from './ui/chunk-types.ts';

/** A stored message, as far as it is shown. */
export interface StoredMessage {
  id: string;
  role: UiMessage['role'];
  created_at: string;
  /** JSON text of the list of its parts. */
  parts: string;
  /** JSON text. */
  metadata: string | null;
  sent_files?: SentFiles | null;
}

/** What a model was sent of a file: itself as an image, its text, the beginning of it, a summary, or nothing. */
export type SentFile = 'image' | 'whole' | 'beginning' | 'summary' | 'nothing';
/** By file id. */
export type SentFiles = Readonly<Record<string, SentFile>>;

/** A part of a stored message. The text of a message stands here and nowhere else. */
export type MessagePart =
  | UserPart
  /** `advice`: text for the operator. */
  | { role: 'assistant'; type: 'text' | 'reasoning' | 'footer'; content: string; step: number; advice?: true }
  | {
      role: 'function';
      type: 'function';
      /** The result, as the model got it. */
      content: string;
      step: number;
      name: string;
      tool_call_id: string;
      arguments: unknown;
      is_error: boolean;
      /** The taint of the result. */
      brings?: readonly Taint[];
    }
  /** `number`: its place among all that were found, by which the text cites it. */
  | ({ role: 'assistant'; type: 'source'; content: string; step: number; number?: number } & Omit<ToolSource, 'quote'>)
  /** A file that a tool made. */
  | { role: 'assistant'; type: 'file'; content: ''; step: number; files: [MessageFile]; inline: boolean }
  | { role: 'assistant'; type: 'workflow_progress'; content: string; step: number; progress: ToolProgress }
  /** The flow that drives the conversation went from one of its nodes to another. */
  | { role: 'assistant'; type: 'state_transition'; content: string; step: number; id: string; from: string; to: string }
  /** A guardrail withheld the text of the step; it is not stored. */
  | { role: 'assistant'; type: 'withheld'; content: ''; step: number; categories: string[]; action: GuardAction }
  | { role: 'assistant'; type: 'handover'; content: string; step: number }
  /** A request for approval of a call; `decision` is null while it is open. */
  | {
      role: 'assistant';
      type: 'approval';
      content: '';
      step: number;
      id: string;
      tool_call_id: string;
      reason: ApprovalReason;
      expires_at: string;
      decision: 'approve' | 'reject' | null;
      note: string | null;
    }
  /** The message for users while a person is asked. */
  | { role: 'assistant'; type: 'human-request'; content: string; step: number; id: string; question: string }
  | { role: 'assistant'; type: 'error'; content: string; code: string };

export interface MessageFile {
  id: string;
  name: string;
  size: number;
  type: string;
  status: 'success';
  url: string;
}

export interface UserPart {
  role: 'user';
  type: 'user';
  content: string;
  tool?: string;
  kb_id?: string;
  workflow_id?: string;
  model_selection?: string[];
  files?: MessageFile[];
  /** The taint of the text, when another run wrote it. */
  brings?: readonly Taint[];
  client?: ClientTerms;
}

/**
 * The terms that the client of a completion sets for one reply, besides its message. It is stored with the message, so that a node
 * that takes the run over and a regenerated reply keep to it. All of it is the caller's text: it changes no setting.
 */
export interface ClientTerms {
  /** The text of its system and developer messages. */
  instructions?: string;
  /** Tools that run at the client. A call of one ends the reply; its result comes with the next request. */
  tools?: ModelTool[];
  /** About the client's tools alone: the caller can't make the agent call one of its own. */
  tool_choice?: 'none' | ToolChoice;
  parallel_tool_calls?: false;
  /** The length that it asked for, when the agent allows less. */
  max_tokens?: number;
  /** The stop sequences of the reply are the client's. */
  stop?: true;
  /** The answer is to be JSON, of this schema where there is one. */
  json?: { schema?: Record<string, unknown> };
  /** Steps since the message: calls of the client's tools with their results. */
  continued?: MessagePart[];
}

/** How a tool call is shown: whole, or only that something is going on. */
export type ToolDisplay =
  | { form: 'whole'; title: string | null; icon: string | null; start: string | null; end: string | null }
  | { form: 'activity'; message: string | null };

export interface SourceDisplay {
  /** Whether sources are numbered under the whole text instead of where they are cited. */
  footnotes: boolean;
  unique: boolean;
  quotes: boolean;
  images: boolean;
  /** Whether the ids of the document and the place in it are shown. */
  ids: boolean;
}

/** What users see of a run. Streams and stored messages both use it, so that they show the same. */
export interface Display {
  reasoning: boolean;
  /** Whether each group of reasoning and tool parts begins with a marker, for screens to fold it. */
  groups: boolean;
  errors: boolean;
  /** Whether text for the operator is shown. */
  advice: boolean;
  /** Shown instead of the reason of a failure; null: the reason itself. */
  failure_text: string | null;
  /** Shown while the agent thinks; null: nothing. */
  thinking_text: string | null;
  footers: boolean;
  metadata: boolean;
  /** null: calls of this tool are not shown. */
  tool(name: string): ToolDisplay | null;
  /** null: sources are not shown. */
  sources: SourceDisplay | null;
  /** Whether parts of this type are shown at all. */
  part(type: string): boolean;
}

/** The message that the events of a run add up to. */
export interface Reply {
  add(event: RunEvent): void;
  readonly parts: readonly MessagePart[];
  readonly metadata: MessageMetadata | null;
  /** The answer says that nothing answers the question. */
  readonly foundNothing: boolean;
}
