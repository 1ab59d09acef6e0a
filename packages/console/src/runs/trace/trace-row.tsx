// biome-ignore-all lint/a11y/useSemanticElements: a table of the browser can not draw only the rows in view.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus and names its active row.
import { ChevronDown, ChevronRight } from 'lucide-react';
import { memo } from 'react';
import { sayCost, sayDuration, sayNumber } from '../../lib/numbers.ts';
import { traceTexts as words } from '../../text/traces.ts';
import { cx } from '../../ui/cx.ts';
import type { Row } from './build-rows.ts';
import { costOf, nameStep, tokensOf } from './name-step.ts';
import { barLook, StepIcon } from './step-icon.tsx';

export type View = 'timeline' | 'tree';
/** The columns of a trace; phones have room for the name and the time. */
export const columnsOf = (view: View) =>
  cx(
    'grid items-center',
    view === 'tree'
      ? 'grid-cols-[minmax(0,1fr)_76px_76px_76px]'
      : 'grid-cols-[minmax(190px,40%)_66px_66px_minmax(0,1fr)]',
    'max-phone:grid-cols-[minmax(0,1fr)_72px]',
  );

/** The figures of the run itself, which the rows add up to. */
export interface Whole {
  name: string;
  note: string;
  isFailed: boolean;
  tokens: number;
  cost: number | null;
}
interface TraceRowProps {
  row: Row;
  index: number;
  top: number;
  height: number;
  endMs: number;
  view: View;
  whole: Whole;
  isChosen: boolean;
  isFolded: boolean;
  onChoose: (id: string) => void;
  onFold: (id: string) => void;
}

/** One step. It is drawn again only when something of its own changes: a trace may have thousands. */
export const TraceRow = memo(function TraceRow(props: TraceRowProps) {
  const { row, index, top, height, endMs, view, whole, isChosen, isFolded, onChoose, onFold } = props;
  const { step, gap, depth, below } = row;
  const isRun = !step && !gap;
  const { name, note } = gap ? { name: words.gaps[gap.phase], note: '' } : step ? nameStep(step) : whole;
  const tokens = isRun ? whole.tokens : step && tokensOf(step);
  const cost = isRun ? whole.cost : step && costOf(step);
  const isFailed = isRun && whole.isFailed;
  const dim = step?.kind === 'run' && 'text-text-3';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys for its rows.
    <div
      role="row"
      id={`row-${row.id}`}
      aria-rowindex={index + 2}
      aria-level={depth + 1}
      aria-selected={isChosen}
      {...(below > 0 && { 'aria-expanded': !isFolded })}
      onClick={() => onChoose(row.id)}
      className={cx(
        'absolute inset-x-0 cursor-default border-b border-line text-dense',
        columnsOf(view),
        isChosen ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--accent)]' : 'hover:bg-bg',
      )}
      style={{ top, height }}
    >
      <div
        role="gridcell"
        className="flex min-w-0 items-center gap-2 pr-2"
        style={{ paddingLeft: 8 + Math.min(depth, 8) * 18 }}
      >
        {below > 0 ? (
          <button
            type="button"
            tabIndex={-1}
            aria-label={isFolded ? words.unfold : words.fold}
            className="relative -ml-1 text-text-3 after:absolute after:-inset-1.5"
            onClick={(event) => {
              event.stopPropagation();
              onFold(row.id);
            }}
          >
            {isFolded ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
          </button>
        ) : (
          <span className="w-2.5 flex-none" />
        )}
        <StepIcon {...{ step, gap, isFailed }} />
        <span className="min-w-0 truncate">
          <span className={gap ? 'text-text-2' : 'font-medium'}>{name}</span>
          {note && <span className="text-text-2"> {note}</span>}
          {isFailed && <span className="font-medium text-bad"> {words.stepFailed}</span>}
        </span>
      </div>
      <div role="gridcell" className={cx('num px-2 text-right text-text-2 max-phone:hidden', dim)}>
        {tokens === undefined ? '' : sayNumber(tokens)}
      </div>
      <div role="gridcell" className={cx('num px-2 text-right text-text-2 max-phone:hidden', dim)}>
        {cost === undefined ? '' : cost === null ? '–' : sayCost(cost)}
      </div>
      <div role="gridcell" className={cx('h-full', view === 'tree' && 'grid place-items-center justify-end')}>
        {view === 'timeline' && <Bar row={row} endMs={endMs} isFailed={isFailed} />}
        <span className={cx('num px-3 text-text-2', view === 'timeline' && 'hidden max-phone:block')}>
          {sayDuration(row.ms)}
        </span>
      </div>
    </div>
  );
});

function Bar({ row, endMs, isFailed }: { row: Row; endMs: number; isFailed: boolean }) {
  const [left, width] = [(row.startMs / endMs) * 100, (row.ms / endMs) * 100];
  const isLate = left + width > 78;
  return (
    <div className="relative mx-3 h-full max-phone:hidden">
      <span
        className={cx(
          'absolute top-1/2 h-2.5 min-w-0.75 -translate-y-1/2 rounded-1',
          ...[barLook({ step: row.step, gap: row.gap, isFailed }), row.step?.running && 'pulse'],
        )}
        style={{ left: `${Math.min(left, 99.5)}%`, width: `${Math.max(0, Math.min(width, 100 - left))}%` }}
      />
      {(row.step || row.gap) && (
        <span
          className={cx('num absolute top-1/2 -translate-y-1/2 px-2 text-caption whitespace-nowrap text-text-2')}
          style={isLate ? { right: `${100 - left}%` } : { left: `${left + width}%` }}
        >
          {sayDuration(row.ms)}
        </span>
      )}
    </div>
  );
}
