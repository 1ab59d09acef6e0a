import { t } from '../text/en.ts';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

export function NotYet({ title }: { title: string }) {
  return (
    <Page title={title}>
      <EmptyState title={t.shell.notYet.title(title)} help={t.shell.notYet.help}>
        <a href="/docs" className="font-medium">
          {t.shell.notYet.reference}
        </a>
      </EmptyState>
    </Page>
  );
}
