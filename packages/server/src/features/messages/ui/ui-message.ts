import type { UiMessage } from '@atrium/contract/conversations/schema.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import type { Display, MessagePart, SentFiles, StoredMessage } from '../ports.ts';
import { makeChunks } from './chunks.ts';
import { shownFailure } from './shown-failure.ts';
import { eventsOfParts, partsOfChunks } from './ui-parts.ts';

/** What a user said, or the system: its text and the files that came with it. */
function saidParts({ content, ...part }: MessagePart, sent_files: SentFiles): UiMessage['parts'] {
  const files = 'files' in part && Array.isArray(part.files) ? part.files : [];
  return [
    { type: 'text', text: content },
    ...files.map(({ id, url, type, name }) => ({
      type: 'file',
      url: url ?? `store://${id}`,
      mediaType: type ?? '',
      filename: name ?? '',
      ...(sent_files[id] && { sent: sent_files[id] }),
    })),
  ];
}

/**
 * A message for screens. A reply is converted through the same chunks as the stream of its run, so that clients see the
 * same live and afterwards.
 */
export function toUiMessage(row: StoredMessage, display: Display): UiMessage {
  const { id, role, created_at } = row;
  const stored = parseStored<MessagePart[]>(row.parts);
  if (role !== 'assistant')
    return {
      id,
      role,
      created_at,
      parts: stored.flatMap((part) => saidParts(part, row.sent_files ?? {})),
      metadata: null,
    };
  const error = stored.find((part) => part.type === 'error');
  return {
    id,
    role,
    created_at,
    ...(error && { failure: shownFailure({ code: error.code, message: error.content }, display) }),
    parts: partsOfChunks(eventsOfParts(stored).flatMap(makeChunks(display))),
    metadata: display.metadata && row.metadata !== null ? JSON.parse(row.metadata) : null,
  };
}
