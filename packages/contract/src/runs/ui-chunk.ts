import type { FinishReason } from '../models/model-usage.ts';

type Json = string | number | boolean | null;
/** The icon and text of a tool on screens: one text while it runs, another when it is done. */
export type ToolMetadata = { icon: string | null; message: string | null };
type ProviderMetadata = { atrium: Record<string, Json> };

/** A chunk of the AI SDK's UI message stream that the server sends. A test compares it with the package's own type. */
export type UiChunk =
  | { type: 'start'; messageId: string; messageMetadata?: Record<string, unknown> }
  | { type: 'start-step' | 'finish-step' | 'reset-step' }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | {
      type: 'tool-input-available';
      toolCallId: string;
      toolName: string;
      input: unknown;
      title?: string;
      toolMetadata?: ToolMetadata;
    }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown; toolMetadata?: ToolMetadata }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string; toolMetadata?: ToolMetadata }
  | { type: 'tool-output-denied'; toolCallId: string }
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string; reason: string }
  | { type: 'tool-approval-response'; approvalId: string; approved: boolean; reason?: string }
  | { type: 'source-url'; sourceId: string; url: string; title: string; providerMetadata?: ProviderMetadata }
  | { type: 'source-document'; sourceId: string; mediaType: string; title: string; providerMetadata?: ProviderMetadata }
  | { type: 'file'; url: string; mediaType: string; providerMetadata?: ProviderMetadata }
  | { type: `data-${string}`; id?: string; data: Record<string, unknown>; transient?: boolean }
  | { type: 'message-metadata'; messageMetadata: Record<string, unknown> }
  | { type: 'finish'; finishReason: FinishReason }
  | { type: 'abort'; reason: string }
  | { type: 'error'; errorText: string };
