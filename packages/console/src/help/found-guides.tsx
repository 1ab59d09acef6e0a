import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { Marked } from '../shell/palette/marked.tsx';
import { type Guide, guideSubjects, helpTexts } from '../text/help.ts';
import { EmptyState, ErrorState, Loading } from '../ui/states.tsx';
import { findInGuide, type GuideHit } from './find-in-guide.ts';
import { loadGuide } from './guides.ts';

const all = guideSubjects.flatMap(({ guides }) => guides);
/** Sections shown of one guide. */
const most = 3;

/** The guides whose texts have the words, with the sections that have them. */
export function FoundGuides({ asked }: { asked: string }) {
  const texts = useQuery({
    queryKey: ['guides'],
    queryFn: () => Promise.all(all.map(async (guide) => ({ guide, text: (await loadGuide(guide.key)) ?? '' }))),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (texts.isPending) return <Loading />;
  if (texts.isError) return <ErrorState error={texts.error} onRetry={() => void texts.refetch()} className="m-0" />;
  const words = asked.toLowerCase().split(/\s+/);
  const isNamed = (title: string) => words.every((word) => title.toLowerCase().includes(word));
  const rankOf = ({ guide, hits }: { guide: Guide; hits: GuideHit[] }) =>
    isNamed(guide.title) ? 2 : hits[0]?.isNamed ? 1 : 0;
  const found = texts.data
    .map(({ guide, text }) => ({ guide, hits: findInGuide(text, asked) }))
    .filter(({ guide, hits }) => hits.length > 0 || isNamed(guide.title))
    .sort((one, other) => rankOf(other) - rankOf(one));
  return (
    <>
      <p role="status" className="num text-dense text-text-3">
        {helpTexts.count(found.length)}
      </p>
      {found.length === 0 && (
        <EmptyState icon={<SearchX size={20} aria-hidden />} title={helpTexts.none(asked)} help={helpTexts.noneHelp} />
      )}
      <ul className="flex max-w-184 flex-col gap-5">
        {found.map(({ guide, hits }) => (
          <li key={guide.key}>
            <Link to={`/help/${guide.key}` as string} className="text-section font-semibold">
              {guide.title}
            </Link>
            <ul>
              {hits.slice(0, most).map(({ heading, anchor, excerpt }) => (
                <li key={`${heading} ${excerpt.text}`} className="mt-1.5">
                  {anchor && (
                    <Link to={`/help/${guide.key}` as string} hash={anchor} className="text-label font-medium">
                      {heading}
                    </Link>
                  )}
                  <p className="text-dense text-text-2 [&_mark]:text-text">
                    <Marked {...excerpt} />
                  </p>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </>
  );
}
