import { CircleAlert, Inbox } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { describeFailure } from '../api/failures.ts';
import { t } from '../text/en.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';

/** True once this much time has passed. */
export function useAfter(ms: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}

/** Nothing for 200 ms, then the shape of what comes; after 8 s a sentence and a way out. */
export function Loading({ rows = 4, onRetry }: { rows?: number; onRetry?: () => void }) {
  const visible = useAfter(200);
  const long = useAfter(8000);
  if (!visible) return null;
  return (
    <div role="status" className="flex flex-col gap-3 p-4">
      <span className="sr-only">{t.ui.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same.
        <span key={row} className="pulse h-4 rounded-1 bg-sunken" style={{ width: `${90 - ((row * 17) % 45)}%` }} />
      ))}
      {long && (
        <p className="flex items-center gap-2 text-dense text-text-2">
          {t.ui.takesLong}
          {onRetry && (
            <Button size="small" onClick={onRetry}>
              {t.ui.tryAgain}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

interface EmptyProps {
  title: string;
  help?: ReactNode;
  icon?: ReactNode;
  children?: ReactNode;
  className?: string;
  /** It stands in place of a page: its title is the page's name. */
  wholePage?: boolean;
}

/** What the page is for in one sentence, and the first step as a button. */
export function EmptyState({ title, help, icon, children, className, wholePage }: EmptyProps) {
  const Title = wholePage ? 'h1' : 'h2';
  return (
    <div className={cx('mx-auto flex max-w-110 flex-col items-center gap-3 px-6 py-14 text-center', className)}>
      <span className="grid size-11 place-items-center rounded-3 bg-sunken text-text-3">
        {icon ?? <Inbox size={20} aria-hidden />}
      </span>
      <Title className="text-section">{title}</Title>
      {help && <p className="text-label text-text-2">{help}</p>}
      {children && (
        <div className="mt-1 flex flex-wrap justify-center gap-2 pointer-coarse:[&>a]:grid pointer-coarse:[&>a]:min-h-11 pointer-coarse:[&>a]:content-center">
          {children}
        </div>
      )}
    </div>
  );
}

/** In place of the part that failed; the rest of the page goes on. */
export function ErrorState({
  error,
  onRetry,
  className,
}: {
  error: unknown;
  onRetry?: (() => void) | undefined;
  className?: string;
}) {
  const { title, help, requestId } = describeFailure(error);
  return (
    <div
      role="alert"
      className={cx('m-4 flex items-start gap-3 rounded-3 border border-bad-line bg-bad-soft p-4', className)}
    >
      <CircleAlert size={18} aria-hidden className="mt-0.5 flex-none text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{title}</p>
        {help && <p className="mt-0.5 text-dense text-text-2">{help}</p>}
        {requestId && <p className="mt-1 font-mono text-caption text-text-3">{requestId}</p>}
      </div>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {t.ui.tryAgain}
        </Button>
      )}
    </div>
  );
}
