import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useReferenceName } from '../../forms/use-references.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { traceTexts as words } from '../../text/traces.ts';
import { cx } from '../../ui/cx.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { StepPane } from '../details/step-pane.tsx';
import { isOver, nameRun, type Run, type Trace } from '../runs.ts';
import { buildRows, foldRows, rootId, waitedMs } from './build-rows.ts';
import { RunFacts } from './run-facts.tsx';
import type { Whole } from './trace-row.tsx';
import { Waterfall } from './waterfall.tsx';

interface Place {
  step?: string | undefined;
  part?: string | undefined;
  view?: 'tree' | undefined;
}
interface TraceViewProps {
  run: Run;
  trace: Trace;
  place: Place;
  onPlace: (place: Place) => void;
}

/** The address follows the chosen step after this many milliseconds: a key that is held down does not write it each time. */
const settleMs = 150;

/** How long the run took, or takes so far, in milliseconds. */
function lengthOf({ created_at, finished_at, status, steps }: Trace): number {
  const began = Date.parse(created_at);
  const last = steps.reduce((end, step) => Math.max(end, Date.parse(step.started_at) + step.ms), began);
  const end = finished_at ? Date.parse(finished_at) : isOver(status) ? began : Date.now();
  return Math.max(1, last - began, end - began);
}

/** The steps of a run and the details of the chosen one. On narrow windows one of them at a time. */
export function TraceView({ run, trace, place, onPlace }: TraceViewProps) {
  const { step: settled, part, view = 'timeline' } = place;
  const [chosen, setChosen] = useState(settled);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const grid = useRef<HTMLDivElement>(null);
  const details = useRef<HTMLElement>(null);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setChosen(settled), [settled]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const latest = useRef(onPlace);
  latest.current = onPlace;
  const choose = useCallback((step: string | undefined) => {
    setChosen(step);
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => latest.current({ step }), settleMs);
  }, []);
  const fold = useCallback((id: string) => {
    setFolded((old) => (old.has(id) ? new Set([...old].filter((other) => other !== id)) : new Set([...old, id])));
  }, []);
  const endMs = useMemo(() => lengthOf(trace), [trace]);
  const all = useMemo(() => buildRows(trace, endMs), [trace, endMs]);
  const rows = useDeferredValue(useMemo(() => foldRows(all, folded), [all, folded]));
  const waited = useMemo(() => waitedMs(all), [all]);
  const workflow = useReferenceName('workflow', run.kind === 'workflow' ? run.workflow_id : '');
  const whole: Whole = useMemo(
    () => ({
      name: run.agent?.name ?? workflow ?? nameRun(run),
      note: run.version?.number ? `v${run.version.number}` : '',
      isFailed: trace.status === 'failed',
      tokens: trace.whole.input_tokens + trace.whole.output_tokens,
      cost: trace.whole.cost,
    }),
    [run, trace, workflow],
  );
  const move = (by: number) => {
    const at = rows.findIndex(({ id }) => id === chosen);
    choose(rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.id);
  };
  useShortcuts([
    { keys: 'j', label: words.stepDown, onPress: () => move(1) },
    { keys: 'k', label: words.stepUp, onPress: () => move(-1) },
  ]);
  // A new page has the focus at its name: from there the arrows go to the steps.
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { activeElement } = document;
      if (!/^Arrow(?:Up|Down)$/.test(event.key) || event.defaultPrevented) return;
      if (activeElement !== document.body && activeElement?.tagName !== 'H1') return;
      event.preventDefault();
      grid.current?.focus();
      choose(chosen ?? rootId);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [chosen, choose]);
  const row = all.find(({ id }) => id === settled);
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div
        className={cx(
          'flex flex-none flex-wrap items-start gap-4 border-b border-line px-5 py-3 max-narrow:px-3',
          settled && 'max-narrow:hidden',
        )}
      >
        <RunFacts run={run} trace={trace} endMs={endMs} waited={waited} />
        <span className="max-phone:hidden">
          <Segmented
            label={words.view}
            value={view}
            options={[
              { value: 'timeline', label: words.views.timeline },
              { value: 'tree', label: words.views.tree },
            ]}
            onChange={(next) => onPlace({ view: next === 'tree' ? 'tree' : undefined })}
          />
        </span>
      </div>
      <div className="flex min-h-0 min-w-0 flex-1">
        <div className={cx('flex min-w-0 flex-1 flex-col', settled && 'max-narrow:hidden')}>
          <Waterfall
            {...{ grid, rows, endMs, view, whole, chosen, folded }}
            onChoose={choose}
            onFold={fold}
            onOpen={() => details.current?.focus()}
          />
        </div>
        <StepPane
          ref={details}
          {...{ run, trace, row, part }}
          step={settled}
          onPart={(next) => onPlace({ part: next })}
          onClose={() => {
            choose(undefined);
            requestAnimationFrame(() => grid.current?.focus());
          }}
          onLeave={() => grid.current?.focus()}
        />
      </div>
    </div>
  );
}
