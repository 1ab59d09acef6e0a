import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { usageTexts as words } from '../../text/admin/usage.ts';
import { Button } from '../../ui/button.tsx';
import { SectionPage } from '../shared/section-page.tsx';
import { useRefusals } from '../shared/use-admin.ts';
import { Budgets } from './budgets.tsx';
import { UsageFigures } from './usage-figures.tsx';

const BudgetDialog = lazyPart(() => import('./budget-dialog.tsx').then((file) => ({ default: file.BudgetDialog })));

/** What was used by whom, and the budgets that stop it. */
export function UsagePage() {
  const may = useMay();
  const [making, setMaking] = useState(false);
  const { ofWorkspace } = useRefusals();
  return (
    <SectionPage
      section="usage"
      guide="budgets"
      actions={
        <Button
          look="primary"
          icon={<Plus size={15} aria-hidden />}
          refused={ofWorkspace}
          onClick={() => setMaking(true)}
        >
          {words.make}
        </Button>
      }
    >
      {may('workspace_admin') && <Budgets />}
      {may('insights_read', 'workspace_admin') && <UsageFigures />}
      <Suspense>{making && <BudgetDialog onClose={() => setMaking(false)} />}</Suspense>
    </SectionPage>
  );
}
