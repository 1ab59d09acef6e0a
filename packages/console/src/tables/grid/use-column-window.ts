import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { GridColumn } from './grid-types.ts';

/** Few columns are all drawn: leaving some out costs more than it saves. */
const fewColumns = 30;
const beside = 400;

/** The columns in view of a wide table, and a few beside them. */
export function useColumnWindow(
  frame: RefObject<HTMLElement | null>,
  columns: readonly GridColumn[],
  activeColumn: number,
): { first: number; columns: readonly GridColumn[] } {
  const [[from, to], setRange] = useState([0, 2000]);
  const isWide = columns.length > fewColumns;
  useEffect(() => {
    const element = frame.current;
    if (!element || !isWide) return;
    const look = () => {
      const { scrollLeft, clientWidth } = element;
      // In steps, so that not every movement draws the rows again.
      const begin = Math.floor((scrollLeft - beside) / beside) * beside;
      setRange((old) => (old[0] === begin ? old : [begin, begin + clientWidth + 3 * beside]));
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    return () => element.removeEventListener('scroll', look);
  }, [frame, isWide]);
  return useMemo(() => {
    if (!isWide) return { first: 0, columns };
    const isShown = ({ left, width }: GridColumn, place: number) =>
      (left + width >= (from ?? 0) && left <= (to ?? 0)) || place === activeColumn;
    const first = columns.findIndex(isShown);
    const last = columns.findLastIndex(isShown);
    return { first: Math.max(0, first), columns: columns.slice(Math.max(0, first), last + 1) };
  }, [columns, isWide, from, to, activeColumn]);
}
