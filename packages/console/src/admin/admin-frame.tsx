import { Link, useParams } from '@tanstack/react-router';
import { LayoutDashboard } from 'lucide-react';
import { Suspense } from 'react';
import { useMay, useWorkspace } from '../api/session.ts';
import { adminTexts } from '../text/admin/frame.ts';
import { overviewTexts } from '../text/admin/overview.ts';
import { t } from '../text/en.ts';
import { Page } from '../ui/page.tsx';
import { EmptyState, Loading } from '../ui/states.tsx';
import { OverviewPage } from './overview/overview-page.tsx';
import { useProviderHealth } from './overview/provider-card.tsx';
import { isSection, sectionKeys, sections } from './sections.ts';

/** The parts of Admin on the left, the chosen one beside it. On phones one of the two. */
export function AdminFrame() {
  const { section } = useParams({ strict: false }) as { section?: string };
  return (
    <div className="flex min-h-0 flex-1">
      <SectionNav />
      {section === undefined ? <OverviewPage /> : <SectionBody section={section} />}
    </div>
  );
}

function SectionBody({ section }: { section: string }) {
  const may = useMay();
  const { id: w } = useWorkspace();
  if (!isSection(section))
    return (
      <Page title={adminTexts.unknown.title} crumb={{ label: adminTexts.title, to: `/w/${w}/admin` }}>
        <EmptyState {...adminTexts.unknown}>
          <Link to="/w/$w/admin" params={{ w }} className="font-medium">
            {adminTexts.title}
          </Link>
        </EmptyState>
      </Page>
    );
  const { Page: Body, permissions } = sections[section];
  if (!may(...permissions))
    return (
      <EmptyState
        wholePage
        title={adminTexts.notAllowed(adminTexts.sections[section].label)}
        help={t.shell.notAllowed.needs(permissions)}
      />
    );
  return (
    <Suspense fallback={<Loading rows={6} />}>
      <Body key={section} />
    </Suspense>
  );
}

const entryLook =
  'flex min-h-8 items-center gap-2.5 rounded-2 px-2 py-1 text-label font-medium text-text-2 hover:bg-sunken aria-[current=page]:bg-selected aria-[current=page]:text-text';

function SectionNav() {
  const { id: w } = useWorkspace();
  const may = useMay();
  const isFailing = useProviderHealth(may('settings_read')).data?.some(({ state }) => state === 'failing');
  return (
    <nav
      aria-label={adminTexts.navigation}
      className="w-53 flex-none overflow-y-auto border-r border-line bg-surface p-2.5 max-narrow:hidden"
    >
      <ul className="flex flex-col gap-0.5">
        <li>
          <Link to="/w/$w/admin" params={{ w }} activeOptions={{ exact: true }} className={entryLook}>
            <span aria-hidden className="flex-none">
              <LayoutDashboard size={16} />
            </span>
            {overviewTexts.title}
          </Link>
        </li>
        {sectionKeys
          .filter((key) => may(...sections[key].permissions))
          .map((key) => {
            const Icon = sections[key].icon;
            return (
              <li key={key}>
                <Link to="/w/$w/admin/$section" params={{ w, section: key }} className={entryLook}>
                  <span aria-hidden className="flex-none">
                    <Icon size={16} />
                  </span>
                  {adminTexts.sections[key].label}
                  {key === 'models' && isFailing && (
                    <>
                      <span aria-hidden className="ml-auto size-1.5 rounded-full bg-bad" />
                      <span className="sr-only">{overviewTexts.oneFails}</span>
                    </>
                  )}
                </Link>
              </li>
            );
          })}
      </ul>
    </nav>
  );
}
