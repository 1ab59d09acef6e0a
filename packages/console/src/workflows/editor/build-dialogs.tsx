import { Suspense } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import type { BuildDialog } from './build-context.ts';

const AddStep = lazyPart(() => import('./add-step.tsx').then(({ AddStep }) => ({ default: AddStep })));
const ConnectSteps = lazyPart(() =>
  import('./connect-steps.tsx').then(({ ConnectSteps }) => ({ default: ConnectSteps })),
);
const FindStep = lazyPart(() => import('./find-step.tsx').then(({ FindStep }) => ({ default: FindStep })));
const MoveAfter = lazyPart(() => import('./find-step.tsx').then(({ MoveAfter }) => ({ default: MoveAfter })));
const FaultDrawer = lazyPart(() => import('./fault-drawer.tsx').then(({ FaultDrawer }) => ({ default: FaultDrawer })));

/** The layers of the canvas and the outline; each is loaded when it is first asked for. */
export function BuildDialogs({ dialog, onClose }: { dialog: BuildDialog | undefined; onClose: () => void }) {
  return (
    <Suspense>
      {dialog?.kind === 'add' && <AddStep after={dialog.after} onClose={onClose} />}
      {dialog?.kind === 'connect' && <ConnectSteps from={dialog.from} to={dialog.to} onClose={onClose} />}
      {dialog?.kind === 'find' && <FindStep onClose={onClose} />}
      {dialog?.kind === 'move-after' && <MoveAfter id={dialog.id} onClose={onClose} />}
      {dialog?.kind === 'faults' && <FaultDrawer onClose={onClose} />}
    </Suspense>
  );
}
