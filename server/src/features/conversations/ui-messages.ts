import type { MessageRow } from './message-store.ts';
import type { UiMessage } from './schema.ts';

interface Part extends Record<string, unknown> {
  role: string;
  type: string;
  content: string;
}

/** A stored part as the parts a chat shows: its text, the files that came with it, the tool that was called. */
function uiParts(part: Part): UiMessage['parts'] {
  if (part.type === 'function')
    return [
      {
        type: `tool-${String(part.name ?? 'tool')}`,
        toolCallId: part.tool_call_id ?? null,
        state: 'output-available',
        input: part.arguments ?? null,
        output: part.content,
      },
    ];
  const files = Array.isArray(part.files) ? (part.files as Record<string, unknown>[]) : [];
  return [
    { type: 'text', text: part.content },
    ...files.map((file) => ({
      type: 'file',
      url: file.url ?? `store://${String(file.id)}`,
      mediaType: file.type ?? '',
      filename: file.name ?? '',
    })),
  ];
}

/** A message as screens draw it. */
export function uiMessageOf({ id, role, created_at, parts }: MessageRow): UiMessage {
  return { id, role, created_at, parts: (JSON.parse(parts) as Part[]).flatMap(uiParts), metadata: null };
}
