import { Link } from '@tanstack/react-router';
import { t } from '../text/en.ts';
import { useTitle } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

export function NotFound() {
  useTitle(t.shell.notFound.title);
  return (
    <main className="grid h-full place-items-center">
      <EmptyState wholePage title={t.shell.notFound.title} help={t.shell.notFound.help}>
        <Link to="/" className="font-medium">
          {t.shell.notFound.action}
        </Link>
      </EmptyState>
    </main>
  );
}
