import { t } from '../../text/en.ts';
import type { UiPart } from '../thread/message-types.ts';

/** A file as a message or the list of the conversation names it. */
export interface ShownFile {
  id: string;
  name: string;
  type: string;
  size?: number | undefined;
  /** What the model was sent of it; absent until it was answered. */
  sent?: SentFile | undefined;
}

export type SentFile = keyof typeof t.chatParts.files.sent;
const isSentFile = (sent: unknown): sent is SentFile => typeof sent === 'string' && sent in t.chatParts.files.sent;

/** The file of a part; its id is empty for one that is still on its way. */
export function fileOfPart(part: UiPart): ShownFile {
  const own = (part['providerMetadata'] as { atrium?: { id?: string; filename?: string; size?: number } })?.atrium;
  const stored = /^store:\/\/([0-9a-f-]{36})$/i.exec(String(part['url'] ?? ''))?.[1];
  return {
    id: own?.id ?? stored ?? '',
    name: own?.filename || String(part['filename'] ?? '') || t.chatParts.files.unnamed,
    type: String(part['mediaType'] ?? ''),
    size: own?.size,
    sent: isSentFile(part['sent']) ? part['sent'] : undefined,
  };
}

/** Pictures that a browser shows without running anything in them. */
export const isPicture = (type: string) => /^image\/(?:png|jpeg|gif|webp)$/.test(type);
