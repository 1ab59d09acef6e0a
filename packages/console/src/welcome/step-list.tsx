import { Check } from 'lucide-react';
import { welcomeTexts } from '../text/welcome.ts';
import { cx } from '../ui/cx.ts';
import { useProgress } from './progress-store.ts';
import { numberOf, type Step, steps } from './steps.ts';

const words = welcomeTexts.first;

/** The four steps with where the person stands. */
export function StepList({ current, email }: { current: Step; email: string | undefined }) {
  const { model, agent } = useProgress();
  return (
    <ol aria-label={words.stepList} className="flex flex-col gap-1 max-narrow:flex-row max-narrow:gap-3">
      {steps.map((step) => {
        const passed = numberOf(step) < numberOf(current);
        const done = passed && (step === 'account' || Boolean(step === 'model' ? model : agent));
        const { name, help } = words.steps[step];
        return (
          <li
            key={step}
            aria-current={step === current ? 'step' : undefined}
            className="relative flex gap-3.5 py-2.5 not-last:after:absolute not-last:after:top-10.5 not-last:after:-bottom-2 not-last:after:left-3.25 not-last:after:w-px not-last:after:bg-line-2 max-narrow:py-0 max-narrow:not-last:after:hidden"
          >
            <span
              className={cx(
                'num mt-1 grid size-7 flex-none place-items-center rounded-full border text-dense font-semibold',
                done && 'border-transparent bg-ok-soft text-ok',
                step === current && 'border-accent bg-accent text-on-accent',
                !done && step !== current && 'border-line-2 bg-surface text-text-3',
              )}
            >
              {done ? <Check size={14} aria-hidden /> : <span aria-hidden>{numberOf(step)}</span>}
            </span>
            <span className="min-w-0 max-narrow:sr-only">
              <span className={cx('block font-medium', !done && step !== current && 'text-text-2')}>
                {name}
                {passed && <span className="sr-only">, {done ? words.done : words.left}</span>}
              </span>
              <span className="block truncate text-dense text-text-3">{(step === 'account' && email) || help}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
