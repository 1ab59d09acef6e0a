import { AtriumError } from '@atrium/sdk';
import { Link } from '@tanstack/react-router';
import { Lock, SearchX } from 'lucide-react';
import { t } from '../text/en.ts';
import { Button } from '../ui/button.tsx';
import { PageName, useTitle } from '../ui/page.tsx';
import { EmptyState, ErrorState } from '../ui/states.tsx';

const words = t.shell;
/** A part of the page that a new build no longer has. */
const isGoneChunk = (error: unknown) =>
  error instanceof TypeError && /dynamically imported|importing a module|Failed to fetch/i.test(error.message);

/** In place of a page that can't be shown: not allowed, gone, of an older build, or broken. The rest of the window goes on. */
export function PageFailure({ error, reset }: { error: unknown; reset?: () => void }) {
  if (error instanceof AtriumError && error.status === 403) return <NotAllowed help={error.detail} />;
  if (error instanceof AtriumError && error.status === 404) return <Gone />;
  if (isGoneChunk(error) && !navigator.onLine)
    return (
      <Whole title={words.failed}>
        <ErrorState error={error} onRetry={() => location.reload()} />
      </Whole>
    );
  if (isGoneChunk(error))
    return (
      <Whole title={words.newVersion}>
        <EmptyState title={words.newVersion}>
          <Button look="primary" onClick={() => location.reload()}>
            {words.reload}
          </Button>
        </EmptyState>
      </Whole>
    );
  return (
    <Whole title={words.failed}>
      <ErrorState error={error} onRetry={reset} />
    </Whole>
  );
}

export const NotAllowed = ({ help }: { help?: string }) => (
  <Whole title={words.notAllowed.title}>
    <EmptyState
      icon={<Lock size={20} aria-hidden />}
      title={words.notAllowed.title}
      help={help || words.notAllowed.help}
    >
      <BackToChat />
    </EmptyState>
  </Whole>
);

const Gone = () => (
  <Whole title={words.gone.title}>
    <EmptyState icon={<SearchX size={20} aria-hidden />} title={words.gone.title} help={words.gone.help}>
      <BackToChat />
    </EmptyState>
  </Whole>
);

const BackToChat = () => (
  <Link to="/" className="font-medium">
    {words.notFound.action}
  </Link>
);

function Whole({ title, children }: { title: string; children: React.ReactNode }) {
  useTitle(title);
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto bg-surface">
      <div className="w-full max-w-160">
        <PageName hidden>{title}</PageName>
        {children}
      </div>
    </div>
  );
}
