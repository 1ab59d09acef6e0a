import { Lock } from 'lucide-react';
import { runTexts } from '../../text/runs.ts';
import { Banner } from '../../ui/banner.tsx';

/** Says why inputs and outputs are not shown, in the place where they would be. */
export const HiddenNote = ({ reason }: { reason: keyof typeof runTexts.hidden }) => (
  <Banner icon={<Lock size={16} aria-hidden />} title={runTexts.hidden[reason].title}>
    {runTexts.hidden[reason].help}
  </Banner>
);
