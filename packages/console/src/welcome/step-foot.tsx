import type { ReactNode } from 'react';
import { welcomeTexts } from '../text/welcome.ts';
import { Button } from '../ui/button.tsx';

const words = welcomeTexts.first;

/** Back and Skip beside the main button of a step. */
export function StepFoot(props: {
  onBack?: (() => void) | undefined;
  onSkip?: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <div className="mt-6 flex flex-wrap items-center gap-2">
      {props.onBack && (
        <Button look="ghost" size="large" onClick={props.onBack} className="-ml-4.5">
          {words.back}
        </Button>
      )}
      <span className="ml-auto flex flex-wrap gap-2">
        {props.onSkip && (
          <Button look="ghost" size="large" onClick={props.onSkip}>
            {words.skip}
          </Button>
        )}
        {props.children}
      </span>
    </div>
  );
}
