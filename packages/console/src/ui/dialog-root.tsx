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

export interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: string;
  /** One or two sentences under the title. */
  help?: ReactNode;
  children?: ReactNode;
  /** The buttons, the main one last. */
  foot?: ReactNode;
  wide?: boolean;
  /** A question of a few lines: on phones it stands at the lower edge and does not fill the screen. */
  short?: boolean;
  /** Closes only by its own buttons, as where something is shown once. */
  sticky?: boolean;
  /**
   * Whether it holds something that is not saved, so that it asks before it closes. Left out: what was typed, picked or
   * switched in it counts. `false` where that is worth no question, as a search.
   */
  changed?: boolean | undefined;
}

/** A question or a form over the page. Below 600 px a form fills the screen. */
export function DialogRoot(props: DialogProps) {
  const { open, onClose, title, help, children, foot, wide, short, sticky, changed } = props;
  const keepOpen = sticky ? (event: Event) => event.preventDefault() : undefined;
  const returnFocus = useReturnFocus();
  const { asking, tryClose, keep, watch } = useUnsaved(onClose, changed);
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && (asking ? keep() : tryClose())}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
        <Radix.Content
          {...watch}
          {...(!help && { 'aria-describedby': undefined })}
          onOpenAutoFocus={focusOnOpen}
          onCloseAutoFocus={returnFocus}
          {...(keepOpen && { onEscapeKeyDown: keepOpen, onPointerDownOutside: keepOpen, onInteractOutside: keepOpen })}
          className={cx(
            'enter fixed z-40 flex flex-col bg-surface shadow-3 outline-none',
            short
              ? 'max-phone:inset-x-3 max-phone:bottom-3 max-phone:max-h-[85dvh] max-phone:rounded-4'
              : 'max-phone:inset-0',
            'phone:top-1/2 phone:left-1/2 phone:max-h-[85dvh] phone:w-[calc(100vw-32px)] phone:-translate-x-1/2 phone:-translate-y-1/2 phone:rounded-4',
            wide ? 'phone:max-w-220' : 'phone:max-w-120',
          )}
        >
          <header className="flex items-start gap-3 px-5 pt-4">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-section font-semibold">{title}</Radix.Title>
              {help && <Radix.Description className="mt-1 text-dense text-text-2">{help}</Radix.Description>}
            </div>
            {!sticky && <IconButton label={t.ui.close} icon={<X size={16} />} onClick={tryClose} />}
          </header>
          <div className={cx('min-h-0 flex-1 overflow-y-auto px-5', short && !children ? 'pt-4' : 'py-4')}>
            {children}
          </div>
          <LayerNotices />
          {foot && (
            <footer hidden={asking} className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {foot}
            </footer>
          )}
          {asking && <UnsavedQuestion onKeep={keep} onDiscard={onClose} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
