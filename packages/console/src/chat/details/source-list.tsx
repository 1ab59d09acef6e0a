import { useMemo } from 'react';
import { t } from '../../text/en.ts';
import { openDocument } from '../citations/open-document.ts';
import { type Source, sourcesOf } from '../citations/sources.ts';
import { LinkHost } from '../markdown/link-host.tsx';
import { safeHref } from '../markdown/safe-href.ts';
import type { Thread } from '../thread/thread-store.ts';
import { useThread } from '../thread/use-thread.ts';
import { PanelSection } from './panel-section.tsx';

const keyOf = ({ place, url, title }: Source) => (place ? `${place.document_id}:${place.start}` : (url ?? title));

/** What the answers that are shown were taken from; each place once. */
export function SourceList({ thread }: { thread: Thread }) {
  const messages = useThread(thread, (snapshot) => snapshot.messages);
  const sources = useMemo(() => {
    const all = messages.flatMap(({ parts }) => sourcesOf(parts));
    return [...new Map(all.map((source) => [keyOf(source), source])).values()];
  }, [messages]);
  return (
    <PanelSection title={t.chatParts.details.sources}>
      {sources.length === 0 && <p className="text-dense text-text-3">{t.chatParts.details.noSources}</p>}
      <ul className="flex flex-col gap-2.5">
        {sources.map((source) => (
          <li key={keyOf(source)} className="flex items-start gap-2.5">
            <span
              aria-hidden
              className="num mt-0.5 grid h-4.5 min-w-4.5 flex-none place-items-center rounded-1 bg-accent-soft px-1 text-caption font-semibold text-accent"
            >
              {source.number}
            </span>
            <div className="min-w-0">
              <SourceTitle source={source} />
              {source.page !== undefined && (
                <p className="text-caption text-text-3">{t.chat.citation.page(source.page)}</p>
              )}
              {source.quote && <p className="mt-0.5 line-clamp-3 text-caption text-text-2">“{source.quote}”</p>}
            </div>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

function SourceTitle({ source: { title, place, url } }: { source: Source }) {
  const look = 'block max-w-full text-left text-label font-medium wrap-anywhere text-text hover:underline';
  const href = url && safeHref(url, location.origin)?.href;
  if (place)
    return (
      <button type="button" className={look} onClick={() => openDocument({ ...place, title })}>
        {title}
      </button>
    );
  if (!href) return <p className="text-label font-medium wrap-anywhere">{title}</p>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={look}>
      {title}
      <LinkHost href={href} text={title} />
    </a>
  );
}
