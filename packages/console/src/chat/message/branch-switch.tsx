import { ChevronLeft, ChevronRight } from 'lucide-react';
import { t } from '../../text/en.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useThreadPeople } from './message-context.ts';

export interface Branches {
  number: number;
  ids: readonly string[];
}

/** "2 of 3": the versions of a message, with what followed each. */
export function BranchSwitch({ number, ids }: Branches) {
  const { thread } = useThreadPeople();
  const choose = (at: number) => {
    const id = ids[at - 1];
    if (id) void thread.choose(id).catch((error) => sayFailure(error));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no form.
    <div role="group" aria-label={t.chat.message.branches} className="flex items-center text-caption text-text-2">
      <IconButton
        label={t.chat.message.previous}
        icon={<ChevronLeft size={14} />}
        disabled={number <= 1}
        onClick={() => choose(number - 1)}
      />
      <span className="num">{t.chat.message.branch(number, ids.length)}</span>
      <IconButton
        label={t.chat.message.next}
        icon={<ChevronRight size={14} />}
        disabled={number >= ids.length}
        onClick={() => choose(number + 1)}
      />
    </div>
  );
}
