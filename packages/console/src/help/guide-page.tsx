import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { BookX } from 'lucide-react';
import { guideSubjects, helpTexts } from '../text/help.ts';
import { Page } from '../ui/page.tsx';
import { EmptyState, ErrorState, Loading } from '../ui/states.tsx';
import { GuideText } from './guide-text.tsx';
import { loadGuide } from './guides.ts';

const titles = new Map(guideSubjects.flatMap(({ guides }) => guides.map(({ key, title }) => [key, title])));

/** One guide of the project's docs. */
export function GuidePage() {
  const { _splat: key = '' } = useParams({ from: '/signed-in/help/$' });
  const guide = useQuery({
    queryKey: ['guides', key],
    queryFn: () => loadGuide(key),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const written = /^# (.*)/.exec(guide.data ?? '')?.[1];
  const title = titles.get(key) ?? written ?? helpTexts.title;
  return (
    <Page key={key} title={title} crumb={{ label: helpTexts.title, to: '/help' }}>
      {guide.isPending && <Loading rows={8} onRetry={() => void guide.refetch()} />}
      {guide.isError && <ErrorState error={guide.error} onRetry={() => void guide.refetch()} />}
      {guide.data === null && (
        <EmptyState icon={<BookX size={20} aria-hidden />} {...helpTexts.notFound}>
          <Link to="/help" className="font-medium">
            {helpTexts.all}
          </Link>
        </EmptyState>
      )}
      {guide.data && <GuideText text={guide.data} guide={key} />}
    </Page>
  );
}
