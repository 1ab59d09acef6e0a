import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../../text/en.ts';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** A list, and beside it what is chosen. On phones one at a time. */
export function TwoPanes({ list, chosen }: { list: ReactNode; chosen: ReactNode | undefined }) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      <div
        className={cx(
          'min-w-0 flex-1 overflow-y-auto',
          Boolean(chosen) && 'narrow:max-w-130 narrow:border-r narrow:border-line max-narrow:hidden',
        )}
      >
        <div className="mx-auto flex max-w-260 flex-col gap-3 px-5 py-4 max-narrow:px-3">{list}</div>
      </div>
      {chosen && <div className="min-w-0 flex-1 overflow-y-auto">{chosen}</div>}
    </div>
  );
}

interface DetailsProps {
  name: string;
  chips?: ReactNode;
  actions?: ReactNode;
  onBack: () => void;
  children: ReactNode;
}

/** What is chosen in a list: its name, what can be done with it, and what is known of it. */
export const Details = ({ name, chips, actions, onBack, children }: DetailsProps) => (
  <article aria-label={name} className="flex max-w-190 flex-col gap-5 p-5 max-narrow:p-3">
    <header className="flex flex-wrap items-center gap-2">
      <IconButton label={t.ui.back} icon={<ArrowLeft size={16} />} onClick={onBack} />
      <h2 className="min-w-0 truncate text-section">{name}</h2>
      {chips}
      <span className="ml-auto flex flex-wrap gap-2">{actions}</span>
    </header>
    {children}
  </article>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-text-3">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </>
);

export const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="grid grid-cols-[minmax(100px,max-content)_minmax(0,1fr)] gap-x-6 gap-y-3 text-label">{children}</dl>
);
