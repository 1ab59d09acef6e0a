import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { AgentMessage } from '../message/agent-message.tsx';
import type { Branches } from '../message/branch-switch.tsx';
import { SummaryNote } from '../message/summary-note.tsx';
import { UserMessage } from '../message/user-message.tsx';
import { estimateHeight } from './estimate-height.ts';
import type { ChatMessage } from './message-types.ts';
import type { Thread } from './thread-store.ts';
import { useThread } from './use-thread.ts';

/** Closer than this to the end counts as being there. */
const atEnd = 2;
/** Older messages are loaded when this many pixels are left above. */
const loadAbove = 1200;

interface ThreadViewProps {
  thread: Thread;
  branches: ReadonlyMap<string, Branches>;
  /** The message of the address: it is brought into view and marked. */
  target: string | undefined;
}

const Row = memo(function Row({
  message,
  last,
  branches,
}: {
  message: ChatMessage;
  last: boolean;
  branches: Branches | undefined;
}) {
  if (message.role === 'assistant') return <AgentMessage message={message} last={last} />;
  if (message.role === 'system') return <SummaryNote message={message} />;
  return <UserMessage message={message} branches={branches} />;
});

/** The messages of a conversation. Only those in view are in the page; it opens at its end. */
export function ThreadView({ thread, branches, target }: ThreadViewProps) {
  const messages = useThread(thread, (snapshot) => snapshot.messages);
  const hasOlder = useThread(thread, (snapshot) => snapshot.hasOlder);
  const scroller = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  const virtual = useVirtualizer({
    count: messages.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => messages[index]?.key ?? index, [messages]),
    estimateSize: useCallback((index: number) => estimateHeight(messages[index]), [messages]),
    overscan: 4,
    gap: 24,
    paddingStart: 24,
    paddingEnd: 16,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: atEnd,
    // The end moves with each frame of an answer: drawing it at once would draw everything twice.
    useFlushSync: false,
  });

  const pinned = useRef(target === undefined);
  const toEnd = useCallback(() => {
    pinned.current = true;
    virtual.scrollToEnd();
    setAway(false);
  }, [virtual]);

  // The window or the composer changed its height: the end stays in view.
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => pinned.current && virtual.scrollToEnd());
    observer.observe(element);
    return () => observer.disconnect();
  }, [virtual]);

  // It opens at its end, unless the address names a message.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each conversation.
  useLayoutEffect(() => {
    if (target === undefined) virtual.scrollToEnd();
  }, [thread]);

  // One's own words are always brought into view.
  const lastOwn = messages.findLast(({ state }) => state === 'sending')?.key;
  useLayoutEffect(() => {
    if (lastOwn !== undefined) toEnd();
  }, [lastOwn, toEnd]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is read when the target is there.
  useEffect(() => {
    if (target === undefined) return;
    let gone = false;
    void thread.loadTo(target).then((found) => {
      if (gone) return;
      if (!found) return sayToast({ text: t.chat.thread.messageGone });
      requestAnimationFrame(() => {
        const index = thread.snapshot().messages.findIndex(({ id }) => id === target);
        virtual.scrollToIndex(index, { align: 'center' });
      });
    });
    return () => {
      gone = true;
    };
  }, [thread, target]);

  const onScroll = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    if (element.scrollTop < loadAbove) void thread.loadOlder().catch(() => {});
    const left = element.scrollHeight - element.scrollTop - element.clientHeight;
    pinned.current = left <= atEnd;
    setAway(left > 40);
  }, [thread]);

  // A conversation that does not fill the window has nothing to scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page.
  useEffect(() => {
    const element = scroller.current;
    if (element && hasOlder && element.scrollHeight <= element.clientHeight + loadAbove)
      void thread.loadOlder().catch(() => {});
  }, [hasOlder, messages.length, thread]);

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        onScroll={onScroll}
        role="log"
        aria-live="off"
        aria-label={t.chat.thread.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the thread is scrolled with the keyboard.
        tabIndex={0}
        className="h-full overflow-x-hidden overflow-y-auto [overflow-anchor:none] outline-offset-[-2px]"
      >
        <div className="relative mx-auto w-full max-w-184" style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ key, index, start }) => {
            const message = messages[index];
            if (!message) return null;
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                data-message={message.id || undefined}
                className={`absolute inset-x-0 top-0 px-6 max-narrow:px-4 ${message.id === target ? 'rounded-3 bg-accent-soft py-2' : ''}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Row message={message} last={index === messages.length - 1} branches={branches.get(message.id)} />
              </div>
            );
          })}
        </div>
      </div>
      {away && (
        <div className="pointer-events-none absolute inset-x-0 bottom-2 flex justify-center">
          <BelowButton thread={thread} onClick={toEnd} />
        </div>
      )}
    </div>
  );
}

/** Brings the end back; says so when words come in below. */
function BelowButton({ thread, onClick }: { thread: Thread; onClick: () => void }) {
  const answering = useThread(thread, (snapshot) => snapshot.answering);
  return (
    <Button
      size="small"
      icon={<ArrowDown size={14} aria-hidden />}
      onClick={onClick}
      className="pointer-events-auto rounded-full! shadow-2"
    >
      {answering ? t.chat.thread.newBelow : t.chat.thread.toEnd}
    </Button>
  );
}
