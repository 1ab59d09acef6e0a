import { ChevronDown, ChevronRight, CircleCheck, CircleDashed, CircleX, Hand, Lightbulb } from 'lucide-react';
import { useId, useState } from 'react';
import { sayDuration } from '../../lib/numbers.ts';
import { t } from '../../text/en.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { ScrollFrame } from '../markdown/scroll-frame.tsx';
import type { UiPart } from '../thread/message-types.ts';
import { describeTool, isFailed, isRunning } from './describe-step.ts';

const dataOf = (part: UiPart) => (part['data'] ?? {}) as Record<string, unknown>;

/** A step in one line. */
export function StepLine({ part }: { part: UiPart }) {
  if (part.type === 'reasoning')
    return <span className="truncate">{isRunning(part) ? t.chat.work.thinking : t.chat.work.reasoning}</span>;
  const data = dataOf(part);
  if (part.type === 'data-state-transition')
    return <span className="truncate">{t.chat.work.moved(String(data['from']), String(data['to']))}</span>;
  if (part.type === 'data-workflow-progress') return <span className="truncate">{String(data['title'] ?? '')}</span>;
  if (part.type === 'data-tool-activity')
    return <span className="truncate">{String(data['message'] ?? '') || t.chat.work.working}</span>;
  const { verb, object, detail } = describeTool(part, t.chat.work);
  return (
    <span className="truncate">
      {verb} {object && <b className="font-medium text-text">{object}</b>} {detail && t.chat.work.forWords(detail)}
    </span>
  );
}

function StepState({ part }: { part: UiPart }) {
  const label = (text: string) => <span className="sr-only">{text}</span>;
  if (part.state === 'output-denied')
    return <CircleX size={16} aria-label={t.chat.work.rejected} className="flex-none text-text-3" />;
  if (part.state === 'approval-requested')
    return <Hand size={16} aria-label={t.chat.work.waits} className="flex-none text-warn" />;
  if (isFailed(part)) return <CircleX size={16} aria-label={t.chat.work.failed} className="flex-none text-bad" />;
  if (isRunning(part))
    return (
      <span className="flex-none text-accent">
        <Spinner size={16} />
        {label(t.chat.work.running)}
      </span>
    );
  if (part.type === 'reasoning') return <Lightbulb size={16} aria-hidden className="flex-none text-text-3" />;
  if (part.type.startsWith('tool-') && part.state !== 'output-available')
    return <CircleDashed size={16} aria-hidden className="flex-none text-text-3" />;
  return <CircleCheck size={16} aria-label={t.chat.work.done} className="flex-none text-ok" />;
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function Field({ name, value }: { name: string; value: unknown }) {
  if (value === undefined || value === null || value === '') return null;
  return (
    <div className="mt-2">
      <p className="text-caption text-text-3">{name}</p>
      <ScrollFrame label={name} className="mt-0.5 max-h-72 overflow-auto rounded-2 bg-sunken p-2 font-mono text-code">
        <pre className="wrap-anywhere whitespace-pre-wrap">{asText(value).slice(0, 20_000)}</pre>
      </ScrollFrame>
    </div>
  );
}

/** A step that opens to what went in and what came out. */
export function StepRow({ part, ms }: { part: UiPart; ms?: number | undefined }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const isTool = part.type.startsWith('tool-');
  // Guests are sent the calls of an answer without what went in and came out.
  const hasDetails = ['input', 'output', 'errorText'].some((name) => part[name] !== undefined && part[name] !== null);
  const opens = isTool ? hasDetails : part.type === 'reasoning';
  const Chevron = open ? ChevronDown : ChevronRight;
  const line = (
    <>
      <StepState part={part} />
      <span className="flex min-w-0 flex-1">
        <StepLine part={part} />
      </span>
      {isTool && (
        <span className="text-caption whitespace-nowrap text-text-3">{describeTool(part, t.chat.work).result}</span>
      )}
      {ms !== undefined && <span className="num text-caption whitespace-nowrap text-text-3">{sayDuration(ms)}</span>}
      {opens && <Chevron size={14} aria-hidden className="flex-none text-text-3" />}
    </>
  );
  const look = 'flex min-h-8 w-full items-center gap-2.5 px-3.5 py-1 text-left text-dense pointer-coarse:min-h-11';
  return (
    <li className="border-t border-line">
      {opens ? (
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className={`${look} outline-offset-[-2px] hover:bg-bg`}
        >
          {line}
        </button>
      ) : (
        <div className={look}>{line}</div>
      )}
      {open && (
        <div id={id} className="px-3.5 pb-3">
          {part.type === 'reasoning' ? (
            <p className="text-dense wrap-anywhere whitespace-pre-wrap text-text-2">{part.text}</p>
          ) : (
            <>
              <Field name={t.chat.work.input} value={part['input']} />
              <Field name={t.chat.work.output} value={part['output']} />
              <Field name={t.chat.work.error} value={part['errorText']} />
            </>
          )}
        </div>
      )}
    </li>
  );
}
