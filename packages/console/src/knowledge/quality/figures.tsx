import { useId } from 'react';
import { sayDecimal } from '../../lib/numbers.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { FigureChart } from './figure-chart.tsx';
import type { Evaluation } from './measuring.tsx';

const words = searchTexts.quality;
const keys = ['recall_at_k', 'ndcg_at_10', 'mrr'] as const;
export const sayShare = (share: number) => sayDecimal(share, 2);
const cell = 'px-3 py-1.5 text-left align-top';

/** The figures of a set by one or two groups of settings: a chart, the table behind it, and each question. */
export function Figures({ stored, trial }: { stored: Evaluation; trial: Evaluation | undefined }) {
  const title = useId();
  const figures = keys.map((key) => ({
    ...{ key, name: words.names[key], help: words.help[key], stored: stored[key], trial: trial?.[key] },
  }));
  return (
    <section aria-labelledby={title} className="flex flex-col gap-3">
      <div role="status">
        <h2 id={title} className="text-section">
          {words.measured(stored.questions)}
        </h2>
      </div>
      <FigureChart figures={figures} />
      <details>
        <summary className="cursor-pointer text-dense font-medium text-text-2">{words.table}</summary>
        <table className="num mt-2 w-full max-w-160 border-collapse text-dense">
          <thead>
            <tr className="border-b border-line text-text-3">
              <th className={cell}>{words.figure}</th>
              <th className={cell}>{searchTexts.stored}</th>
              {trial && <th className={cell}>{searchTexts.trial}</th>}
            </tr>
          </thead>
          <tbody>
            {figures.map((figure) => (
              <tr key={figure.key} className="border-b border-line">
                <th scope="row" className={cell}>
                  {figure.name}
                  <span className="block text-caption font-normal text-text-3">{figure.help}</span>
                </th>
                <td className={cell}>{sayShare(figure.stored)}</td>
                {figure.trial !== undefined && <td className={cell}>{sayShare(figure.trial)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <details>
        <summary className="cursor-pointer text-dense font-medium text-text-2">{words.perQuestion}</summary>
        <div className="mt-2 overflow-x-auto">
          <table className="num w-full border-collapse text-dense">
            <thead>
              <tr className="border-b border-line text-text-3">
                <th className={cell}>{words.question}</th>
                <th className={cell}>{searchTexts.stored}</th>
                {trial && <th className={cell}>{searchTexts.trial}</th>}
                {trial && <th className={cell}>{words.change}</th>}
              </tr>
            </thead>
            <tbody>
              {stored.per_question.map((one, index) => {
                const other = trial?.per_question[index];
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the same question may stand there twice.
                  <tr key={index} className="border-b border-line">
                    <th scope="row" className={`${cell} font-normal`}>
                      {one.query}
                    </th>
                    <td className={cell}>{sayPlace(one.reciprocal_rank)}</td>
                    {other && <td className={cell}>{sayPlace(other.reciprocal_rank)}</td>}
                    {other && <Change from={one.ndcg_at_10} to={other.ndcg_at_10} />}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

const sayPlace = (reciprocal: number) =>
  reciprocal > 0 ? searchTexts.place(Math.round(1 / reciprocal)) : words.notFound;

function Change({ from, to }: { from: number; to: number }) {
  const difference = to - from;
  const word = Math.abs(difference) < 0.005 ? 'same' : difference > 0 ? 'better' : 'worse';
  const tone = { same: 'text-text-3', better: 'text-ok', worse: 'text-bad' }[word];
  return <td className={`${cell} ${tone}`}>{words[word]}</td>;
}
