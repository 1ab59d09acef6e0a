import { Suspense, useState } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import { openingPress } from './opening-press.tsx';
import type { PopoverProps } from './popover-root.tsx';

const load = () => import('./popover-root.tsx').then(({ PopoverRoot }) => ({ default: PopoverRoot }));
const PopoverRoot = lazyPart(load);

/** A box beside a button. What draws it is loaded when the button is first pointed at or pressed. */
export function Popover(props: PopoverProps) {
  const [asked, setAsked] = useState(false);
  const open = () => {
    setAsked(true);
    props.onOpenChange?.(true);
  };
  const closed = openingPress(props.trigger, 'dialog', load, open);
  return asked || props.open ? (
    <Suspense fallback={closed}>
      <PopoverRoot {...props} />
    </Suspense>
  ) : (
    closed
  );
}
