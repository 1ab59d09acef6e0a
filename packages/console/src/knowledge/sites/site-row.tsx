import { Globe } from 'lucide-react';
import { sayMoment, sayTime } from '../../lib/time.ts';
import { siteTexts } from '../../text/knowledge/sites.ts';
import { readCron, saySchedule } from '../../triggers/schedule.ts';
import { Chip } from '../../ui/chip.tsx';
import { cx } from '../../ui/cx.ts';
import type { Site } from './sites.ts';

const words = siteTexts;

/** "Every day at 03:00 UTC". */
export const sayRhythm = (schedule: string | null): string =>
  schedule ? `${saySchedule(readCron(schedule))} UTC` : words.schedules.none;

export function SiteRow({ site, isChosen, onChoose }: { site: Site; isChosen: boolean; onChoose: () => void }) {
  const { url, status, error, documents, schedule, crawled_at, next_at } = site;
  return (
    <li className={cx(isChosen && 'narrow:bg-accent-soft')}>
      <button
        type="button"
        aria-current={isChosen || undefined}
        onClick={onChoose}
        className="flex w-full min-w-0 items-start gap-3 px-4 py-3 text-left -outline-offset-2"
      >
        <Globe size={16} aria-hidden className="mt-0.5 flex-none text-text-3" />
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 font-medium break-all">{url}</span>
            {status === 'crawling' && (
              <Chip tone="info" dot>
                {words.statuses.crawling}
              </Chip>
            )}
            {error && <Chip tone="bad">{words.states.failed}</Chip>}
          </span>
          <span className="num text-dense text-text-2">
            {words.documents(documents)} · {sayRhythm(schedule)}
          </span>
          <span className="num text-caption text-text-2">
            {crawled_at ? words.crawled(sayTime(crawled_at)) : words.never}
            {next_at && ` · ${words.next(sayMoment(next_at))}`}
          </span>
        </span>
      </button>
    </li>
  );
}
