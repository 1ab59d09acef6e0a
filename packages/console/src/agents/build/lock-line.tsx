import { Lock } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayTime } from '../../lib/time.ts';
import { agentTexts } from '../../text/agents.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import type { Agent } from '../editor/draft-state.ts';
import { useDraft, useEditor } from '../editor/editor-context.ts';

const UnlockDialog = lazyPart(() =>
  import('./lock-dialogs.tsx').then(({ UnlockDialog }) => ({ default: UnlockDialog })),
);
const AskDialog = lazyPart(() => import('./lock-dialogs.tsx').then(({ AskDialog }) => ({ default: AskDialog })));
const words = agentTexts.locks;

/** Who locked these settings, when and why; and how they can be unlocked. */
export function LockLine({ lock }: { lock: Agent['locks'][number] }) {
  const { mayEdit } = useEditor();
  const { agent } = useDraft();
  const [open, setOpen] = useState(false);
  const mayUnlock = agent.may?.['unlock'] === true;
  const name = lock.locked_by_actor?.name;
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-dense text-text-2">
      <Chip icon={<Lock size={12} aria-hidden />}>{name ? words.lockedBy(name) : words.locked}</Chip>
      {lock.locked_at && <span>{words.since(sayTime(lock.locked_at))}</span>}
      {mayEdit && (
        <Button size="small" look="ghost" className="ml-auto" onClick={() => setOpen(true)}>
          {mayUnlock ? words.unlock : words.ask}
        </Button>
      )}
      {lock.reason && <q className="basis-full break-words">{lock.reason}</q>}
      <Suspense>
        {open && mayUnlock && <UnlockDialog lock={lock.lock} onClose={() => setOpen(false)} />}
        {open && !mayUnlock && <AskDialog lock={lock.lock} onClose={() => setOpen(false)} />}
      </Suspense>
    </div>
  );
}
