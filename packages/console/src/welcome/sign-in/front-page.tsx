import type { ReactNode } from 'react';
import { Logo } from '../../shell/logo.tsx';
import { t } from '../../text/en.ts';
import { PageName, useTitle } from '../../ui/page.tsx';

/** A page outside of the shell: one card with one thing to do. */
export function FrontPage({ title, help, children }: { title: string; help?: ReactNode; children: ReactNode }) {
  useTitle(title);
  return (
    <main className="h-full overflow-y-auto bg-bg">
      <div className="mx-auto flex min-h-full w-full max-w-108 flex-col justify-center gap-6 px-4 py-10 max-phone:justify-start max-phone:py-8">
        <div className="flex items-center gap-2.5 px-1">
          <Logo size={32} />
          <span className="text-[17px] font-semibold tracking-[-0.01em]">{t.shell.product}</span>
        </div>
        <section className="flex flex-col gap-5 rounded-4 border border-line bg-surface p-6 shadow-1 max-phone:p-5">
          <header>
            <PageName look="title">{title}</PageName>
            {help && <p className="mt-1.5 text-text-2">{help}</p>}
          </header>
          {children}
        </section>
      </div>
    </main>
  );
}
