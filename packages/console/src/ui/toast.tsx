import { X } from 'lucide-react';
import { useId, useLayoutEffect } from 'react';
import { create } from 'zustand';
import { describeFailure } from '../api/failures.ts';
import { t } from '../text/en.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { IconButton } from './icon-button.tsx';

interface Toast {
  id: number;
  text: string;
  help?: string | undefined;
  bad?: boolean;
  action?: { label: string; onClick: () => void } | undefined;
}
interface Toasts {
  shown: Toast[];
  /** The open dialogs and drawers, the topmost last. */
  layers: string[];
  remove: (id: number) => void;
}

let last = 0;
const useToasts = create<Toasts>((set) => ({
  shown: [],
  layers: [],
  remove: (id) => set(({ shown }) => ({ shown: shown.filter((toast) => toast.id !== id) })),
}));

/** A short notice in a corner. It goes by itself, unless it says what failed. */
export function sayToast(toast: Omit<Toast, 'id'>): void {
  const id = ++last;
  useToasts.setState(({ shown }) => ({ shown: [...shown, { ...toast, id }].slice(-4) }));
  if (!toast.bad) setTimeout(() => useToasts.getState().remove(id), 6000);
}

/** Says why an action failed. The control stays as it was. */
export function sayFailure(error: unknown, retry?: () => void): void {
  const { title, help } = describeFailure(error);
  sayToast({ text: title, help, bad: true, action: retry && { label: t.ui.tryAgain, onClick: retry } });
}

/** In the corner of the page, while no dialog is open. */
export function ToastRegion() {
  const layers = useToasts(({ layers }) => layers.length);
  return (
    <NoticeList
      isShown={layers === 0}
      className="pointer-events-none fixed right-4 bottom-4 z-50 w-90 max-w-[calc(100vw-32px)] max-narrow:bottom-18"
    />
  );
}

/**
 * The notices inside of a dialog or drawer: above its buttons, so that they cover nothing, and part of it, so that a press on
 * one is no press outside and that they are read out.
 */
export function LayerNotices() {
  const id = useId();
  useLayoutEffect(() => {
    useToasts.setState(({ layers }) => ({ layers: [...layers, id] }));
    return () => useToasts.setState(({ layers }) => ({ layers: layers.filter((layer) => layer !== id) }));
  }, [id]);
  const isTop = useToasts(({ layers }) => layers.at(-1) === id);
  return <NoticeList isShown={isTop} className="max-h-[40dvh] flex-none overflow-y-auto px-5 not-empty:py-3" />;
}

/** For layers beside a button: a press on a notice does not close them. */
export function ignoreNotices(event: Event): void {
  if (event.target instanceof Element && event.target.closest('[data-notices]')) event.preventDefault();
}

function NoticeList({ isShown, className }: { isShown: boolean; className: string }) {
  const { shown, remove } = useToasts();
  return (
    <section aria-live="polite" aria-label={t.ui.notices} data-notices className={cx('flex flex-col gap-2', className)}>
      {(isShown ? shown : []).map(({ id, text, help, bad, action }) => (
        <div
          key={id}
          className={cx(
            'enter pointer-events-auto flex items-start gap-2 rounded-3 border bg-surface py-2 pr-1.5 pl-3.5 shadow-2',
            bad ? 'border-bad-line' : 'border-line',
          )}
        >
          <div className="min-w-0 flex-1 py-1 text-label">
            <p className={cx('font-medium', bad && 'text-bad')}>{text}</p>
            {help && <p className="text-dense text-text-2">{help}</p>}
          </div>
          {action && (
            <Button
              size="small"
              onClick={() => {
                remove(id);
                action.onClick();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label={t.ui.dismiss} icon={<X size={14} />} onClick={() => remove(id)} />
        </div>
      ))}
    </section>
  );
}
