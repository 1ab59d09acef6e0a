import type { AnswerOf } from '@atrium/sdk';
import { Download, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { saveFile } from '../../lib/save-file.ts';
import { auditTexts as words } from '../../text/admin/audit.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { Card, SectionPage } from '../shared/section-page.tsx';
import { useAddress } from '../shared/use-admin.ts';
import { auditFilters } from './audit-filters.ts';
import { AuditList } from './audit-list.tsx';
import { FilterBar } from './filter-bar.tsx';
import { VerifyReport } from './verify-report.tsx';

/** Who changed what, with filters in the address. */
export function AuditPage() {
  const client = useClient();
  const [search] = useAddress();
  const [report, setReport] = useState<AnswerOf<'audit.verify'>>();
  const [busy, setBusy] = useState<'export' | 'verify'>();
  const attempt = async (what: 'export' | 'verify', action: () => Promise<void>) => {
    setBusy(what);
    try {
      await action();
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  const download = (format: 'csv' | 'ndjson') =>
    attempt('export', async () => {
      const answer = await client.audit.export({ ...auditFilters(search), format });
      const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson';
      saveFile(`audit.${format}`, await answer.text(), type);
    });
  return (
    <SectionPage
      section="audit"
      guide="audit"
      actions={
        <>
          <Button
            icon={<ShieldCheck size={15} aria-hidden />}
            busy={busy === 'verify'}
            onClick={() => void attempt('verify', async () => setReport(await client.audit.verify()))}
          >
            {words.verify}
          </Button>
          <Menu
            trigger={
              <Button icon={<Download size={15} aria-hidden />} busy={busy === 'export'}>
                {words.export}
              </Button>
            }
            groups={[
              [
                { label: words.exportCsv, onSelect: () => void download('csv') },
                { label: words.exportJson, onSelect: () => void download('ndjson') },
              ],
            ]}
          />
        </>
      }
    >
      {report && <VerifyReport report={report} />}
      <FilterBar />
      <Card title={words.title}>
        <AuditList />
      </Card>
    </SectionPage>
  );
}
