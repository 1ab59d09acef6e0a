import { CircleAlert } from 'lucide-react';
import { memo, useMemo } from 'react';
import { sourcesOf } from '../chat/citations/sources.ts';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { groupParts } from '../chat/message/group-parts.ts';
import { NotSent } from '../chat/message/not-sent.tsx';
import { WorkGroup } from '../chat/message/work-group.tsx';
import { type ChatMessage, textOf } from '../chat/thread/message-types.ts';
import type { Thread } from '../chat/thread/thread-store.ts';
import { t } from '../text/en.ts';
import { Banner } from '../ui/banner.tsx';
import { type FeedbackForm, GuestFeedback } from './guest-feedback.tsx';
import { GuestFile, GuestSources, noteOf } from './guest-parts.tsx';

interface GuestMessageProps {
  message: ChatMessage;
  thread: Thread;
  token: string | undefined;
  /** Undefined where guests say nothing about answers. */
  feedback: FeedbackForm | undefined;
  names: { agent: string; you: string };
}

/** A message as guests see it: words, files, and as much of how it was made as the server sends them. */
export const GuestMessage = memo(function GuestMessage(props: GuestMessageProps) {
  return props.message.role === 'assistant' ? <Answer {...props} /> : <Own {...props} />;
});

function Own({ message, thread, token, names }: GuestMessageProps) {
  return (
    <article aria-label={names.you} className="flex flex-col items-end">
      <p
        dir="auto"
        className="max-w-[86%] rounded-4 rounded-br-1 bg-sunken px-3.5 py-2.5 text-reading wrap-anywhere whitespace-pre-wrap max-phone:text-[16px]"
      >
        {textOf(message)}
      </p>
      {message.parts.map((part, index) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: files of a message only follow each other.
        part.type === 'file' ? <GuestFile key={index} part={part} token={token} /> : null,
      )}
      {message.state === 'unsent' && <NotSent message={message} thread={thread} />}
    </article>
  );
}

function Answer({ message, token, feedback, names }: GuestMessageProps) {
  const { parts, state } = message;
  const blocks = useMemo(() => groupParts(parts), [parts]);
  const sources = useMemo(() => sourcesOf(parts).map((source) => ({ ...source, place: undefined })), [parts]);
  const writing = state === 'writing';
  const error = parts.find(({ type }) => type === 'data-error')?.['data'] as { message?: string } | undefined;
  const failure = error || state === 'failed' ? (error?.message ?? message.failure) || t.share.page.failed : undefined;
  const thinking = writing && blocks.length === 0 ? message.thinking : undefined;
  return (
    <article aria-label={names.agent} aria-busy={writing || undefined}>
      {blocks.map((block, index) => {
        if (block.kind === 'text') return <Markdown key={block.key} text={block.part.text ?? ''} sources={sources} />;
        if (block.kind === 'work')
          return (
            <WorkGroup
              key={block.key}
              steps={block.steps}
              last={index === blocks.length - 1}
              writing={writing}
              message={message}
            />
          );
        if (block.part.type === 'file') return <GuestFile key={block.key} part={block.part} token={token} />;
        const words = noteOf(block.part);
        return words ? (
          <p key={block.key} className="mt-2 text-dense text-text-2">
            {words}
          </p>
        ) : null;
      })}
      {thinking && <span className="mr-2 text-dense text-text-2">{thinking}</span>}
      {writing && blocks.at(-1)?.kind !== 'work' && (
        <span aria-hidden className="pulse mt-1 inline-block h-4 w-2 rounded-1 bg-accent align-middle" />
      )}
      {failure && (
        <div className="mt-3">
          <Banner tone="bad" icon={<CircleAlert size={16} />} title={failure} />
        </div>
      )}
      {state === 'stopped' && <p className="mt-2 text-dense text-text-2">{t.chat.thread.stopped}</p>}
      <GuestSources sources={sources} />
      {!writing && feedback && token && message.id && blocks.length > 0 && (
        <GuestFeedback token={token} messageId={message.id} form={feedback} />
      )}
    </article>
  );
}
