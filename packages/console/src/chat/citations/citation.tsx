import type { ReactNode } from 'react';
import { t } from '../../text/en.ts';
import { cx } from '../../ui/cx.ts';
import { Tooltip } from '../../ui/tooltip.tsx';
import { LinkHost } from '../markdown/link-host.tsx';
import { safeHref } from '../markdown/safe-href.ts';
import { openDocument } from './open-document.ts';
import type { Source } from './sources.ts';

const numberLook =
  'num inline-block min-w-4.5 rounded-1 bg-accent-soft px-1 text-center align-[1px] text-[11px] leading-4.5 font-semibold text-accent no-underline';

/** A number in the text. Pointing at it or focusing it shows the quote; pressing it opens the place. */
export function Citations({ numbers, sources }: { numbers: readonly number[]; sources: readonly Source[] }) {
  return numbers.map((number) => {
    const source = sources.find((candidate) => candidate.number === number);
    return source ? <Citation key={number} source={source} /> : null;
  });
}

function Citation({ source }: { source: Source }) {
  return (
    <SourceCard source={source}>
      <SourceLink
        source={source}
        className={cx(numberLook, 'relative mx-0.5 after:absolute after:-inset-1 hover:bg-accent hover:text-on-accent')}
      >
        {source.number}
      </SourceLink>
    </SourceCard>
  );
}

/** Opens a document at the passage, or the page of the web. */
export function SourceLink({
  source,
  className,
  children,
  ...rest
}: {
  source: Source;
  className: string;
  children: ReactNode;
}) {
  const target = source.url ? safeHref(source.url, location.origin) : undefined;
  const label = t.chat.citation.label(source.number, source.title);
  const { place } = source;
  if (place)
    return (
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={className}
        onClick={() => openDocument({ ...place, title: source.title, quote: source.quote })}
      >
        {children}
      </button>
    );
  if (target)
    return (
      <a
        href={target.href}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={label}
        {...rest}
        className={className}
      >
        {children}
      </a>
    );
  return (
    <button type="button" aria-label={label} {...rest} className={className}>
      {children}
    </button>
  );
}

function SourceCard({ source, children }: { source: Source; children: ReactNode }) {
  const { title, page, quote, place, url } = source;
  return (
    <Tooltip
      card
      delay={150}
      text={
        <>
          <p className="font-medium">{title}</p>
          {page !== undefined && <p className="text-caption text-text-3">{t.chat.citation.page(page)}</p>}
          {quote && <p className="mt-1.5 line-clamp-6 text-text-2">“{quote}”</p>}
          {(place || url) && (
            <p className="mt-2 text-caption text-accent">
              {place ? t.chat.citation.open : t.chat.citation.openPage}
              {!place && url && <LinkHost href={url} text="" />}
            </p>
          )}
        </>
      }
    >
      {children}
    </Tooltip>
  );
}

/** The sources below an answer: those that its text does not number, and on phones all of them. */
export function SourceChips({ sources, cited }: { sources: readonly Source[]; cited: ReadonlySet<number> }) {
  if (sources.length === 0) return null;
  const uncited = sources.some(({ number }) => !cited.has(number));
  return (
    <ul
      aria-label={t.chat.citation.sources}
      className={cx('mt-2.5 flex gap-2 overflow-x-auto', !uncited && 'phone:hidden')}
    >
      {sources.map((source) => (
        <li key={source.number} className={cx('flex-none', cited.has(source.number) && 'phone:hidden')}>
          <SourceCard source={source}>
            <SourceLink
              source={source}
              className="flex h-8 max-w-70 items-center gap-1.5 rounded-full border border-line pr-3 pl-2 text-dense font-medium text-text no-underline hover:bg-sunken pointer-coarse:h-11"
            >
              <span className={numberLook}>{source.number}</span>
              <span className="truncate">
                {source.title}
                {source.page !== undefined && `, ${t.chat.citation.shortPage(source.page)}`}
              </span>
            </SourceLink>
          </SourceCard>
        </li>
      ))}
    </ul>
  );
}
