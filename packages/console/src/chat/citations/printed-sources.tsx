import { t } from '../../text/en.ts';
import type { Source } from './sources.ts';

/** The sources of an answer on paper, where nothing can be opened: what each is, where it stands, what it says. */
export function PrintedSources({ sources }: { sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  return (
    <section className="mt-3 border-t border-line pt-2 text-dense">
      <h2 className="text-dense">{t.chat.citation.sources}</h2>
      <ol className="mt-1 flex flex-col gap-1.5">
        {sources.map(({ number, title, page, url, quote }) => (
          <li key={number} className="wrap-anywhere">
            <span className="num">[{number}]</span> {title}
            {page !== undefined && `, ${t.chat.citation.page(page)}`}
            {url && ` · ${url}`}
            {quote && <p className="text-text-2">“{quote}”</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}
