import type { ChatMessage } from './message-types.ts';
import type { MessageExtras } from './thread-types.ts';

/** The words of the person as they are shown while they are on their way. */
export function ownMessage(key: string, content: string, sendKey: string, { files = [] }: MessageExtras): ChatMessage {
  const attached = (files as { name: string; type: string; id?: string }[]).map(({ name, type, id }) => ({
    ...{ type: 'file', filename: name, mediaType: type },
    ...(id && { url: `store://${id}` }),
  }));
  const parts = [{ type: 'text', text: content }, ...attached];
  const created_at = new Date().toISOString();
  return { key, sendKey, id: '', role: 'user', created_at, parts, metadata: null, state: 'sending' };
}
