import { memo } from 'react';
import { cx } from '../../../ui/cx.ts';
import { type Row, runsOf, type Style } from './cells.ts';

const colors = [
  ...['text-text-3', 'text-bad', 'text-ok', 'text-warn', 'text-info', 'text-c3', 'text-accent', 'text-text-2'],
  ...['text-text-3', 'text-bad', 'text-ok', 'text-warn', 'text-info', 'text-c3', 'text-accent', 'text-text'],
];
const backgrounds = [
  ...['bg-sunken', 'bg-bad-soft', 'bg-ok-soft', 'bg-warn-soft', 'bg-info-soft', 'bg-selected', 'bg-accent-soft'],
  ...['bg-selected', 'bg-sunken', 'bg-bad-soft', 'bg-ok-soft', 'bg-warn-soft', 'bg-info-soft', 'bg-selected'],
  ...['bg-accent-soft', 'bg-selected'],
];

/** On a coloured ground the text keeps the colour that can be read there. */
const classOf = ({ color, background, bold, underline, inverse }: Style, isCursor: boolean) =>
  cx(
    isCursor || inverse ? 'bg-text text-bg' : background !== undefined && backgrounds[background],
    !isCursor && !inverse && background === undefined && color !== undefined && colors[color],
    bold && 'font-semibold',
    underline && 'underline',
  );

interface LineProps {
  row: Row;
  /** A row changes in place, so that its version says whether it has to be drawn again. */
  version: number;
  cursor: number | undefined;
}

export const ScreenLine = memo(function ScreenLine({ row, cursor }: LineProps) {
  return (
    <div className="min-h-[19px]">
      {runsOf(row, cursor).map(({ text, style, isCursor }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a line have no other name.
        <span key={index} className={classOf(style, isCursor)}>
          {text}
        </span>
      ))}
    </div>
  );
});
