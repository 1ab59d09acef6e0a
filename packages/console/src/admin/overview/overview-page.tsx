import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay, useWorkspace } from '../../api/session.ts';
import { sayClock } from '../../lib/time.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { overviewTexts as words } from '../../text/admin/overview.ts';
import { Page } from '../../ui/page.tsx';
import { sectionKeys, sections } from '../sections.ts';
import { AdviceCard } from './advice-card.tsx';
import { AuditCard } from './audit-card.tsx';
import { BudgetCard } from './budget-card.tsx';
import { FigureStrip } from './figure-strip.tsx';
import { KeyCard } from './key-card.tsx';
import { ProviderCard } from './provider-card.tsx';
import { WaitingCard } from './waiting-card.tsx';

/** Whether the place is well, and what waits. What a person may not see is left out. */
export function OverviewPage() {
  const { name } = useWorkspace();
  const may = useMay();
  const [opened] = useState(() => Date.now());
  const isAdmin = may('workspace_admin', 'org:admin');
  return (
    <Page
      title={adminTexts.title}
      beside={<span className="min-w-0 truncate text-label text-text-3">{name}</span>}
      actions={<span className="num text-caption text-text-3 max-phone:hidden">{words.asOf(sayClock(opened))}</span>}
    >
      <div className="flex min-h-full flex-col gap-3.5 bg-bg p-5 max-narrow:p-3">
        <FigureStrip />
        <div className="grid gap-3.5 wide:grid-cols-2">
          {may('settings_read') && <ProviderCard />}
          {may('workspace_admin') && <BudgetCard />}
          {may('workspace_admin', 'org:admin') && <WaitingCard />}
          {isAdmin && <KeyCard />}
          {may('workspace_admin', 'audit_read') && <AuditCard />}
          {may('org:admin') && <AdviceCard />}
        </div>
        <PartList />
      </div>
    </Page>
  );
}

/** The way to the parts where there is no navigation beside the page. */
function PartList() {
  const { id: w } = useWorkspace();
  const may = useMay();
  return (
    <nav aria-label={words.parts} className="hidden max-narrow:block">
      <ul className="divide-y divide-line overflow-hidden rounded-3 border border-line bg-surface">
        {sectionKeys
          .filter((key) => may(...sections[key].permissions))
          .map((key) => {
            const Icon = sections[key].icon;
            return (
              <li key={key}>
                <Link
                  to="/w/$w/admin/$section"
                  params={{ w, section: key }}
                  className="flex min-h-13 items-center gap-3 px-4 py-1.5 text-text hover:bg-bg"
                >
                  <span aria-hidden className="flex-none text-text-2">
                    <Icon size={17} />
                  </span>
                  <span className="min-w-0">
                    <span className="block font-medium">{adminTexts.sections[key].label}</span>
                    <span className="block truncate text-caption text-text-3">{adminTexts.sections[key].about}</span>
                  </span>
                </Link>
              </li>
            );
          })}
      </ul>
    </nav>
  );
}
