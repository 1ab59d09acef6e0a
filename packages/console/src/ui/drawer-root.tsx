import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../text/en.ts';
import { cx } from './cx.ts';
import { focusOnOpen } from './focus-on-open.ts';
import { IconButton } from './icon-button.tsx';
import { LayerNotices } from './toast.tsx';
import { UnsavedQuestion } from './unsaved-question.tsx';
import { useReturnFocus } from './use-return-focus.ts';
import { useUnsaved } from './use-unsaved.ts';

export interface DrawerProps {
  open: boolean;
  onClose: () => void;
  title: string;
  side?: 'left' | 'right';
  /** Whether it holds something that is not saved, so that it asks before it closes. */
  changed?: boolean;
  children: ReactNode;
}

export function DrawerRoot(props: DrawerProps) {
  const { open, onClose, title, side = 'right', changed = false, children } = props;
  const returnFocus = useReturnFocus();
  const { asking, tryClose, keep } = useUnsaved(onClose, changed);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && (asking ? keep() : tryClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-[rgb(0_0_0/0.4)]" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focusOnOpen}
          onCloseAutoFocus={returnFocus}
          className={cx(
            'enter-side fixed z-30 flex flex-col bg-bg shadow-3 outline-none',
            side === 'left' ? 'inset-y-0 left-0 w-72 max-w-[85vw]' : 'inset-y-0 right-0 w-100 max-w-[92vw]',
            side === 'right' &&
              'max-phone:inset-x-0 max-phone:top-auto max-phone:bottom-0 max-phone:max-h-[80dvh] max-phone:w-full max-phone:max-w-none max-phone:rounded-t-4',
          )}
        >
          <header className="flex items-center gap-2 border-b border-line py-2 pr-2 pl-4">
            <Radix.Title className="flex-1 text-section font-semibold">{title}</Radix.Title>
            <IconButton label={t.ui.close} icon={<X size={16} />} onClick={tryClose} />
          </header>
          <div
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard.
            tabIndex={0}
            className="min-h-0 flex-1 overflow-y-auto pb-[env(safe-area-inset-bottom)] outline-offset-[-2px]"
          >
            {children}
          </div>
          <LayerNotices />
          {asking && <UnsavedQuestion onKeep={keep} onDiscard={onClose} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
