import { Suspense } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import type { DialogProps } from './dialog-root.tsx';

const DialogRoot = lazyPart(() => import('./dialog-root.tsx').then(({ DialogRoot }) => ({ default: DialogRoot })));

/** A question or a form over the page. What draws it is loaded when the first one opens. */
export function Dialog(props: DialogProps) {
  return (
    props.open && (
      <Suspense>
        <DialogRoot {...props} />
      </Suspense>
    )
  );
}
