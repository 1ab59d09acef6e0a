import { CircleStop, Play } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import { connectionTexts } from '../../text/connections.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import type { Entry, Language } from './terminal-store.ts';

const words = connectionTexts.terminal;
const limits = [10, 60, 300, 600];

interface TerminalInputProps {
  folder: string;
  entries: readonly Entry[];
  running: boolean;
  onRun: (asked: { command: string; language: Language; timeout: number }) => void;
  onStop: () => void;
  onClear: () => void;
}

/** The line that a command is typed in. */
export function TerminalInput({ folder, entries, running, onRun, onStop, onClear }: TerminalInputProps) {
  const [command, setCommand] = useState('');
  const [language, setLanguage] = useState<Language>('bash');
  const [timeout, setTimeout] = useState(60);
  /** How far back in the earlier commands; 0: what is being typed. */
  const back = useRef(0);
  const draft = useRef('');
  const submit = () => {
    if (running || !command.trim()) return;
    onRun({ command, language, timeout });
    setCommand('');
    back.current = 0;
  };
  const walk = (step: 1 | -1) => {
    const earlier = entries.map((entry) => entry.command);
    const next = back.current + step;
    if (next < 0 || next > earlier.length) return;
    if (back.current === 0) draft.current = command;
    back.current = next;
    setCommand(next === 0 ? draft.current : (earlier.at(-next) ?? ''));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey, nativeEvent, currentTarget } = event;
    if (nativeEvent.isComposing || metaKey || altKey) return;
    const isMarked = currentTarget.selectionStart !== currentTarget.selectionEnd;
    const isOneLine = !command.includes('\n');
    if (ctrlKey && key === 'c' && running && !isMarked) onStop();
    else if (ctrlKey) return;
    else if (key === 'Enter' && !shiftKey) submit();
    else if (key === 'ArrowUp' && isOneLine) walk(1);
    else if (key === 'ArrowDown' && isOneLine) walk(-1);
    else return;
    event.preventDefault();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="flex flex-none flex-col gap-2 border-t border-line px-5 py-3 max-narrow:px-3"
    >
      <div className="flex items-end gap-2">
        <span aria-hidden className="max-w-40 truncate pb-2 font-mono text-code text-accent">
          /{folder}
        </span>
        <span className="flex min-w-0 flex-1">
          <TextArea
            mono
            aria-label={words.command}
            data-autofocus
            autoFocus
            rows={1}
            maxRows={8}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
            value={command}
            onChange={({ target }) => setCommand(target.value)}
            onKeyDown={onKeyDown}
          />
        </span>
        {running ? (
          <Button icon={<CircleStop size={13} aria-hidden />} onClick={onStop} className="h-9.5!">
            {words.stop}
          </Button>
        ) : (
          <Button
            look="primary"
            type="submit"
            icon={<Play size={13} aria-hidden />}
            disabled={!command.trim()}
            className="h-9.5!"
          >
            {words.run}
          </Button>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Select
          aria-label={words.language}
          value={language}
          options={Object.entries(words.languages).map(([value, label]) => ({ value, label }))}
          onChange={(value) => setLanguage(value as Language)}
          className="w-32"
        />
        <Select
          aria-label={words.limit}
          value={String(timeout)}
          options={limits.map((value) => ({ value: String(value), label: words.seconds(value) }))}
          onChange={(value) => setTimeout(Number(value))}
          className="w-36"
        />
        {entries.length > 0 && (
          <Button look="ghost" size="small" onClick={onClear}>
            {words.clear}
          </Button>
        )}
        <span className="min-w-60 flex-1 text-caption text-text-3 max-narrow:hidden">{words.keys}</span>
      </div>
    </form>
  );
}
