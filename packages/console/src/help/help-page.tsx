import { useNavigate, useSearch } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { Suspense, useDeferredValue, useRef } from 'react';
import { lazyPart } from '../lib/lazy-part.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { useShell } from '../shell/shell-store.ts';
import { helpTexts } from '../text/help.ts';
import { Button } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Loading } from '../ui/states.tsx';
import { TextInput } from '../ui/text-field.tsx';
import { GuideList } from './guide-list.tsx';
import { TourCard } from './tour-card.tsx';

const FoundGuides = lazyPart(() => import('./found-guides.tsx').then((file) => ({ default: file.FoundGuides })));

/** The guides by subject, and a search through all of their texts. */
export function HelpPage() {
  const { q = '' } = useSearch({ from: '/signed-in/help/' });
  const navigate = useNavigate({ from: '/help/' });
  const field = useRef<HTMLInputElement>(null);
  const asked = useDeferredValue(q.trim());
  const open = useShell((shell) => shell.open);
  useShortcuts([{ keys: '/', label: helpTexts.find, onPress: () => field.current?.focus() }]);
  return (
    <Page
      title={helpTexts.title}
      actions={
        <>
          <Button icon={<Keyboard size={15} aria-hidden />} onClick={() => open('shortcuts')}>
            {helpTexts.keys}
          </Button>
          <a href="/docs" className="text-label font-medium">
            {helpTexts.reference}
          </a>
        </>
      }
    >
      <div className="mx-auto flex max-w-260 flex-col gap-5 px-5 py-5 max-narrow:px-3">
        <TextInput
          ref={field}
          type="search"
          aria-label={helpTexts.find}
          placeholder={helpTexts.find}
          value={q}
          onChange={({ target }) => void navigate({ search: { q: target.value || undefined }, replace: true })}
          className="max-w-120"
        />
        {asked.length > 1 ? (
          <Suspense fallback={<Loading />}>
            <FoundGuides asked={asked} />
          </Suspense>
        ) : (
          <>
            <TourCard />
            <GuideList />
          </>
        )}
      </div>
    </Page>
  );
}
