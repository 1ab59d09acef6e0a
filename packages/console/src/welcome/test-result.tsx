import { CircleAlert, CircleCheck } from 'lucide-react';
import { welcomeTexts } from '../text/welcome.ts';
import { Banner } from '../ui/banner.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { isEmbedder } from './steps.ts';
import type { ProviderTest } from './use-provider-test.ts';

const words = welcomeTexts.model;

/** What an address answered, as soon as it did. */
export function TestResult({ test }: { test: ProviderTest }) {
  if (test.state === 'idle') return null;
  if (test.state === 'trying') return <Banner icon={<Spinner size={16} />} title={words.trying} />;
  if (test.state === 'failed')
    return (
      <Banner tone="bad" icon={<CircleAlert size={16} aria-hidden />} title={words.noAnswer}>
        <p>{test.reason}</p>
        <p>{words.noAnswerHelp}</p>
      </Banner>
    );
  const embedder = test.models.find(isEmbedder);
  return (
    <Banner tone="ok" icon={<CircleCheck size={16} aria-hidden />} title={words.answers(test.ms)}>
      {words.models(test.models)} {embedder && words.embedding(embedder)}
    </Banner>
  );
}
