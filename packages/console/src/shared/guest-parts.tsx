import { Download } from 'lucide-react';
import { client } from '../api/client.ts';
import type { Source } from '../chat/citations/sources.ts';
import { LinkHost } from '../chat/markdown/link-host.tsx';
import { safeHref } from '../chat/markdown/safe-href.ts';
import { fileOfPart, isPicture } from '../chat/parts/shown-file.ts';
import type { UiPart } from '../chat/thread/message-types.ts';
import { t } from '../text/en.ts';

/** A file of a message: what the guest sent has a name, what the agent made can be fetched. */
export function GuestFile({ part, token }: { part: UiPart; token: string | undefined }) {
  const { id, name, type } = fileOfPart(part);
  if (!id || !token) return <p className="my-1 text-dense text-text-2">{name}</p>;
  const href = client.url('publicConversations.downloadFile', token, id);
  const inline = (part['providerMetadata'] as { atrium?: { inline?: boolean } })?.atrium?.inline;
  return (
    <a
      href={href}
      download={name}
      className="my-2 inline-flex max-w-full items-center gap-2 overflow-hidden rounded-3 border border-line text-label font-medium pointer-coarse:min-h-11"
    >
      {inline && isPicture(type) ? (
        <img src={href} alt={name} loading="lazy" className="max-h-80 max-w-full object-contain" />
      ) : (
        <span className="flex min-w-0 items-center gap-2 px-3 py-2">
          <Download size={15} aria-hidden className="flex-none" />
          <span className="truncate">{name}</span>
        </span>
      )}
    </a>
  );
}

/** The sources of an answer with what they say: guests can't open the documents. */
export function GuestSources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  return (
    <details className="mt-3 rounded-3 border border-line text-dense">
      <summary className="flex min-h-9 cursor-pointer items-center px-3 font-medium text-text-2 pointer-coarse:min-h-11">
        {t.share.page.sources(sources.length)}
      </summary>
      <ol className="flex flex-col gap-2.5 border-t border-line px-3 py-2.5">
        {sources.map(({ number, title, url, page, quote }) => {
          const target = url ? safeHref(url, location.origin) : undefined;
          return (
            <li key={number} className="flex gap-2">
              <span className="num flex-none text-text-3">{number}</span>
              <span className="min-w-0 wrap-anywhere">
                {target ? (
                  <a href={target.href} target="_blank" rel="noopener noreferrer" className="font-medium">
                    {title}
                    <LinkHost href={target.href} text={title} />
                  </a>
                ) : (
                  <span className="font-medium">{title}</span>
                )}
                {page !== undefined && <span className="text-text-3">, {t.chat.citation.page(page)}</span>}
                {quote && <q className="mt-0.5 block text-text-2">{quote.replaceAll(/\n\s*\n/g, '\n')}</q>}
              </span>
            </li>
          );
        })}
      </ol>
    </details>
  );
}

/** What a part says to guests; undefined for parts that are shown otherwise. */
export function noteOf(part: UiPart): string | undefined {
  const data = part['data'] as { message?: string; text?: string } | undefined;
  switch (part.type) {
    case 'data-human-request':
      return data?.message ?? t.share.page.waits;
    case 'data-handover':
      return t.share.page.waits;
    case 'data-retract':
      return t.chat.thread.withheld;
    case 'data-footer':
      return data?.text;
  }
  return undefined;
}
