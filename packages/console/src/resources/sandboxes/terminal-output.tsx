import { useEffect, useRef } from 'react';
import { sayDuration } from '../../lib/numbers.ts';
import { connectionTexts } from '../../text/connections.ts';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';
import type { Entry } from './terminal-store.ts';

const words = connectionTexts.terminal;

/** The output of commands. It stays scrolled to its end unless the person has scrolled up. */
export function TerminalOutput({ entries }: { entries: readonly Entry[] }) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what is written.
  useEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [entries]);
  return (
    <div
      ref={box}
      role="log"
      aria-label={words.output}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long output is scrolled with the keyboard.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - 24;
      }}
      className="min-h-40 flex-1 overflow-y-auto bg-bg px-5 py-4 font-mono text-code -outline-offset-2 max-narrow:px-3"
    >
      {entries.length === 0 && <p className="font-sans text-dense text-text-2">{words.welcome}</p>}
      {entries.map((entry) => (
        <OneCommand key={entry.id} entry={entry} />
      ))}
    </div>
  );
}

function OneCommand({ entry }: { entry: Entry }) {
  const { command, folder, language, pieces, isCut, end, fault } = entry;
  const reason = end && words.reasons[end.reason];
  const isBad = fault !== undefined || (end && (end.exit_code !== 0 || end.reason !== 'exit'));
  return (
    <div className="mb-4">
      <p className="break-words whitespace-pre-wrap">
        <span className="text-accent">{`/${folder} `}</span>
        <span className="text-text-3">{language === 'bash' ? '$ ' : `${words.languages[language]} › `}</span>
        {command}
      </p>
      {isCut && <p className="font-sans text-caption text-text-3">{words.cut}</p>}
      {pieces.length > 0 && (
        <pre className="break-words whitespace-pre-wrap">
          {pieces.map(({ stream, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces are only added at the end.
            <span key={index} className={cx(stream === 'stderr' && 'text-bad')}>
              {text}
            </span>
          ))}
        </pre>
      )}
      <p className={cx('flex items-center gap-1.5 font-sans text-caption', isBad ? 'text-bad' : 'text-text-3')}>
        {!end && !fault && <Spinner size={12} />}
        {fault ?? (end && (reason || words.ended(end.exit_code, sayDuration(end.duration_ms))))}
      </p>
    </div>
  );
}
