import { Download } from 'lucide-react';
import { client } from '../api/client.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { fileOfPart } from '../chat/parts/file-bytes.ts';
import { type ChatMessage, textOf, type UiPart } from '../chat/thread/message-types.ts';
import { t } from '../text/en.ts';

function FileLink({ part, token }: { part: UiPart; token: string }) {
  const { id, name } = fileOfPart(part);
  if (!id) return <span className="text-dense text-text-2">{name}</span>;
  return (
    <a
      href={client.url('publicConversations.downloadFile', token, id)}
      download={name}
      className="my-2 inline-flex items-center gap-2 rounded-3 border border-line px-3 py-2 text-label font-medium pointer-coarse:min-h-11"
    >
      <Download size={15} aria-hidden />
      {name}
    </a>
  );
}

const wordsOf = (part: UiPart): string | undefined => {
  const data = part['data'] as { message?: string; text?: string } | undefined;
  if (part.type === 'data-human-request') return data?.message ?? t.share.page.waits;
  if (part.type === 'data-handover') return t.share.page.waits;
  return part.type === 'data-error' || part.type === 'data-footer' ? (data?.message ?? data?.text) : undefined;
};

/** A message as guests see it: words and files, nothing of how it was made. */
export function GuestMessage({ message, token }: { message: ChatMessage; token: string }) {
  const files = message.parts.filter(({ type }) => type === 'file');
  const isAgent = message.role === 'assistant';
  const notes = message.parts.flatMap((part) => wordsOf(part) ?? []);
  return (
    <article
      aria-label={isAgent ? t.share.page.agent : t.share.page.you}
      aria-busy={message.state === 'writing' || undefined}
      className={isAgent ? '' : 'flex flex-col items-end'}
    >
      {isAgent ? (
        <Markdown text={textOf(message)} sources={[]} />
      ) : (
        <p
          dir="auto"
          className="max-w-[86%] rounded-4 rounded-br-1 bg-sunken px-3.5 py-2.5 text-reading wrap-anywhere whitespace-pre-wrap"
        >
          {textOf(message)}
        </p>
      )}
      {notes.map((words) => (
        <p key={words} className="mt-2 text-dense text-text-2">
          {words}
        </p>
      ))}
      {message.state === 'writing' && (
        <span aria-hidden className="pulse mt-1 inline-block h-4 w-2 rounded-1 bg-accent align-middle" />
      )}
      {message.state === 'unsent' && (
        <p role="alert" className="mt-1.5 text-dense text-bad">
          {t.chat.thread.unsent} {message.failure}
        </p>
      )}
      {files.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: files of a message only follow each other.
        <FileLink key={index} part={part} token={token} />
      ))}
    </article>
  );
}
