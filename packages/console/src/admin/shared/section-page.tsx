import type { ReactNode } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { Page } from '../../ui/page.tsx';
import type { SectionKey } from '../sections.ts';

/** One part of Admin: its name, its guide, what can be made there. */
export function SectionPage(props: {
  section: SectionKey;
  guide: string;
  actions?: ReactNode;
  beside?: ReactNode;
  children: ReactNode;
}) {
  const { id: w } = useWorkspace();
  return (
    <Page
      title={adminTexts.sections[props.section].label}
      crumb={{ label: adminTexts.title, to: `/w/${w}/admin` }}
      guide={props.guide}
      actions={props.actions}
      beside={props.beside}
    >
      <div className="mx-auto flex max-w-270 flex-col gap-5 px-5 py-4 max-narrow:px-3">{props.children}</div>
    </Page>
  );
}

/** A part of a page under its own heading. */
export function Card(props: { title: string; help?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={props.title} className="rounded-3 border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="text-section font-semibold">{props.title}</h2>
          {props.help && <p className="text-dense text-text-2">{props.help}</p>}
        </div>
        {props.actions && <div className="flex flex-wrap gap-2">{props.actions}</div>}
      </header>
      <div className="border-t border-line">{props.children}</div>
    </section>
  );
}
