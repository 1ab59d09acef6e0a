import { RotateCcw } from 'lucide-react';
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, useEffect, useRef } from 'react';
import { connectionTexts } from '../../../text/connections.ts';
import { Button } from '../../../ui/button.tsx';
import { sequenceOf } from './keys.ts';
import { ScreenLine } from './screen-lines.tsx';
import { usePty } from './use-pty.ts';
import { useSize } from './use-size.ts';

const words = connectionTexts.pty;
const letters = 'MMMMMMMMMM';

/** Output that has stopped for this long may have changed the files. */
const settledMs = 1500;

interface PtyViewProps {
  sandboxId: string;
  folder: string;
  onSettled: () => void;
}

/** A terminal: the screen of a shell in the sandbox, and a field that takes what is typed. */
export default function PtyView({ sandboxId, folder, onSettled }: PtyViewProps) {
  const box = useRef<HTMLDivElement>(null);
  const measure = useRef<HTMLSpanElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const isAtEnd = useRef(true);
  const size = useSize(box, measure, letters.length);
  const { screen, state, version, type, openAgain } = usePty(sandboxId, folder, size);

  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what is shown.
  useEffect(() => {
    if (isAtEnd.current) box.current?.scrollTo({ top: box.current.scrollHeight });
    if (version === 0) return;
    const timer = setTimeout(onSettled, settledMs);
    return () => clearTimeout(timer);
  }, [version]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const isCopy = event.ctrlKey && event.key === 'c' && String(getSelection()) !== '';
    const sequence = isCopy ? '' : sequenceOf(event, screen.hasApplicationKeys);
    if (!sequence) return;
    event.preventDefault();
    // Keys of the program are not those of the page.
    event.stopPropagation();
    isAtEnd.current = true;
    void type(sequence);
  };
  const onInput = ({ currentTarget, nativeEvent }: FormEvent<HTMLTextAreaElement>) => {
    if ((nativeEvent as InputEvent).isComposing) return;
    if (currentTarget.value) void type(currentTarget.value.replaceAll('\n', '\r'));
    currentTarget.value = '';
  };
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault();
    const text = event.clipboardData.getData('text/plain').replaceAll(/\r?\n/g, '\r');
    if (text) void type(screen.marksPaste ? `\u001b[200~${text.replaceAll('\u001b', '')}\u001b[201~` : text);
  };
  const isOpen = state.name === 'open' || state.name === 'lost';
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="relative flex min-h-0 flex-1 has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:-outline-offset-2 has-[textarea:focus-visible]:outline-accent">
        <div
          ref={box}
          role="log"
          aria-label={words.screen}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: earlier output is scrolled with the keyboard.
          tabIndex={0}
          onMouseUp={() => String(getSelection()) === '' && field.current?.focus()}
          onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
            isAtEnd.current = scrollTop + clientHeight > scrollHeight - 24;
          }}
          className="min-h-40 min-w-0 flex-1 overflow-auto bg-bg px-5 py-4 font-mono text-code whitespace-pre [font-variant-ligatures:none] max-narrow:px-3"
        >
          <span ref={measure} aria-hidden className="invisible absolute">
            {letters}
          </span>
          {screen.history.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only added at the end.
            <ScreenLine key={`h${index}`} row={row} version={row.version} cursor={undefined} />
          ))}
          {screen.grid.map((row, y) => (
            <ScreenLine
              // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is known by its place.
              key={y}
              row={row}
              version={row.version}
              cursor={
                isOpen && screen.isCursorShown && y === screen.y ? Math.min(screen.x, screen.cols - 1) : undefined
              }
            />
          ))}
        </div>
        <textarea
          ref={field}
          aria-label={words.input}
          data-autofocus
          // biome-ignore lint/a11y/noAutofocus: the page is for typing into the terminal.
          autoFocus
          rows={1}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          autoCorrect="off"
          disabled={!isOpen && state.name !== 'opening'}
          onKeyDown={onKeyDown}
          onInput={onInput}
          onCompositionEnd={onInput}
          onPaste={onPaste}
          className="pointer-events-none absolute bottom-0 left-0 h-5 w-20 resize-none border-0 bg-transparent p-0 text-transparent caret-transparent outline-none"
        />
      </div>
      <p
        role="status"
        className="flex min-h-11 flex-none flex-wrap items-center gap-3 border-t border-line px-5 py-2 text-caption text-text-2 max-narrow:px-3"
      >
        {state.name === 'opening' && words.opening}
        {state.name === 'lost' && words.lost}
        {state.name === 'open' && words.keys}
        {state.name === 'failed' && <span className="text-bad">{state.fault}</span>}
        {state.name === 'ended' && words.ended(state.end.exit_code, words.reasons[state.end.reason])}
        {(state.name === 'ended' || state.name === 'failed') && (
          <Button size="small" icon={<RotateCcw size={13} aria-hidden />} onClick={openAgain}>
            {words.again}
          </Button>
        )}
      </p>
    </div>
  );
}
