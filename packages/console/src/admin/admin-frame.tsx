import { Link, useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useMay, useWorkspace } from '../api/session.ts';
import { adminTexts } from '../text/admin/frame.ts';
import { t } from '../text/en.ts';
import { cx } from '../ui/cx.ts';
import { Page } from '../ui/page.tsx';
import { EmptyState, Loading } from '../ui/states.tsx';
import { isSection, sectionKeys, sections } from './sections.ts';

/** The parts of Admin on the left, the chosen one beside it. On phones one of the two. */
export function AdminFrame() {
  const { section } = useParams({ strict: false }) as { section?: string };
  return (
    <div className="flex min-h-0 flex-1">
      <SectionNav isAlone={section === undefined} />
      {section === undefined ? <Overview /> : <SectionBody section={section} />}
    </div>
  );
}

function SectionBody({ section }: { section: string }) {
  const may = useMay();
  const { id: w } = useWorkspace();
  if (!isSection(section))
    return (
      <Page title={adminTexts.title}>
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

function SectionNav({ isAlone }: { isAlone: boolean }) {
  const { id: w } = useWorkspace();
  const may = useMay();
  return (
    <nav
      aria-label={adminTexts.navigation}
      className={cx(
        'w-53 flex-none overflow-y-auto border-r border-line bg-surface p-2.5 max-narrow:hidden',
        isAlone && 'narrow:block',
      )}
    >
      <ul className="flex flex-col gap-0.5">
        {sectionKeys
          .filter((key) => may(...sections[key].permissions))
          .map((key) => {
            const Icon = sections[key].icon;
            return (
              <li key={key}>
                <Link
                  to="/w/$w/admin/$section"
                  params={{ w, section: key }}
                  className="flex min-h-8 items-center gap-2.5 rounded-2 px-2 py-1 text-label font-medium text-text-2 hover:bg-sunken aria-[current=page]:bg-selected aria-[current=page]:text-text"
                >
                  <span aria-hidden className="flex-none">
                    <Icon size={16} />
                  </span>
                  {adminTexts.sections[key].label}
                </Link>
              </li>
            );
          })}
      </ul>
    </nav>
  );
}

/** What there is, in a sentence each. */
function Overview() {
  const { id: w, name } = useWorkspace();
  const may = useMay();
  return (
    <Page title={adminTexts.title} beside={<span className="text-label text-text-3">{name}</span>}>
      <ul className="grid gap-3 p-5 phone:grid-cols-2 wide:grid-cols-3 max-narrow:p-3">
        {sectionKeys
          .filter((key) => may(...sections[key].permissions))
          .map((key) => {
            const Icon = sections[key].icon;
            return (
              <li key={key} className="relative flex gap-3 rounded-3 border border-line p-4 hover:bg-bg">
                <span aria-hidden className="grid size-9 flex-none place-items-center rounded-3 bg-sunken text-text-2">
                  <Icon size={17} />
                </span>
                <div className="min-w-0">
                  <Link
                    to="/w/$w/admin/$section"
                    params={{ w, section: key }}
                    className="font-medium text-text after:absolute after:inset-0"
                  >
                    {adminTexts.sections[key].label}
                  </Link>
                  <p className="text-dense text-text-2">{adminTexts.sections[key].about}</p>
                </div>
              </li>
            );
          })}
      </ul>
    </Page>
  );
}
