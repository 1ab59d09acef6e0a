import type { ReactNode } from 'react';
import { Logo } from '../shell/logo.tsx';
import { t } from '../text/en.ts';
import { welcomeTexts } from '../text/welcome.ts';
import { useTitle } from '../ui/page.tsx';
import { StepList } from './step-list.tsx';
import { numberOf, type Step } from './steps.ts';

const words = welcomeTexts.first;

interface FirstStartFrameProps {
  step: Step;
  email?: string | undefined;
  title: string;
  help: string;
  children: ReactNode;
}

/** The steps on the left, the current one on the right; on narrow windows above each other. */
export function FirstStartFrame({ step, email, title, help, children }: FirstStartFrameProps) {
  useTitle(title);
  return (
    <div className="grid h-full overflow-y-auto bg-surface narrow:grid-cols-[minmax(300px,420px)_minmax(0,1fr)] narrow:overflow-hidden">
      <aside className="flex flex-col border-line bg-bg px-12 pt-11 pb-9 max-narrow:gap-4 max-narrow:border-b max-narrow:px-5 max-narrow:py-4 narrow:overflow-y-auto narrow:border-r max-wide:px-8">
        <div className="mb-11 flex items-center gap-2.5 max-narrow:mb-0">
          <Logo size={32} />
          <span className="text-[17px] font-semibold tracking-[-0.01em]">{t.shell.product}</span>
        </div>
        <h1 className="mb-2 text-title tracking-[-0.02em] max-narrow:sr-only">{words.title}</h1>
        <p className="mb-7.5 text-text-2 max-narrow:hidden">{words.help}</p>
        <StepList current={step} email={email} />
        <p className="mt-auto pt-8 text-caption text-text-3 max-narrow:hidden">{words.stays}</p>
      </aside>
      <main className="narrow:overflow-y-auto">
        <div className="mx-auto flex min-h-full w-full max-w-160 flex-col justify-center px-5 py-10 max-narrow:justify-start max-narrow:py-6">
          <p className="mb-1.5 text-dense font-medium text-text-3">{words.stepOf(numberOf(step))}</p>
          <h2 className="text-heading tracking-[-0.01em]">{title}</h2>
          <p className="mt-1.5 mb-5 text-text-2">{help}</p>
          {children}
        </div>
      </main>
    </div>
  );
}
