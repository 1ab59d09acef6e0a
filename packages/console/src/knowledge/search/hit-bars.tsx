import { sayScore } from '../../lib/numbers.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import type { BarName, Bars } from './rank-bars.ts';

const words = searchTexts;
const colors: Record<BarName, string> = { words: 'bg-c2', meaning: 'bg-c4', joined: 'bg-c1', reranked: 'bg-c5' };
const names: readonly BarName[] = ['words', 'meaning', 'joined', 'reranked'];

/** Four bars: found by words, by meaning, both joined, and after reranking; each with its score and place. */
export function HitBars({ bars }: { bars: Bars }) {
  return (
    <dl className="grid grid-cols-2 gap-x-4.5 gap-y-1 max-phone:grid-cols-1">
      {names.map((name) => {
        const bar = bars[name];
        const none = name === 'reranked' ? words.notUsed : words.notFound;
        return (
          <div key={name} className="grid grid-cols-[58px_minmax(0,1fr)_auto] items-center gap-2 text-caption">
            <dt className="text-text-2">{words.bars[name]}</dt>
            <dd aria-hidden className="h-1.25 overflow-hidden rounded-full bg-sunken">
              {bar && (
                <span
                  className={`block h-full rounded-full ${colors[name]}`}
                  style={{ width: `${Math.round(bar.share * 100)}%` }}
                />
              )}
            </dd>
            <dd className="num flex justify-end gap-2">
              {bar ? (
                <>
                  <span className="min-w-9">{sayScore(bar.score)}</span>
                  <span className="min-w-6.5 text-text-3">{words.place(bar.place)}</span>
                </>
              ) : (
                <span className="min-w-17.5 text-text-3">{none}</span>
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
