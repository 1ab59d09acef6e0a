import { sayDecimal } from '../../lib/numbers.ts';
import { searchTexts } from '../../text/knowledge/search.ts';

interface Figure {
  key: string;
  name: string;
  stored: number;
  trial: number | undefined;
}

const words = searchTexts.quality;
const [left, width, barHeight, gap] = [110, 430, 14, 18];
const list = new Intl.ListFormat('en');

/** Bars from 0 to 1 for each figure, one or two beside each other. The table below says the same. */
export function FigureChart({ figures }: { figures: readonly Figure[] }) {
  const isCompared = figures.some(({ trial }) => trial !== undefined);
  const groupHeight = (isCompared ? 2 * barHeight + 3 : barHeight) + gap;
  const height = figures.length * groupHeight + 22;
  const sentence = list.format(
    figures.map(({ name, stored, trial }) =>
      words.chartPart(name, sayDecimal(stored, 2), trial === undefined ? undefined : sayDecimal(trial, 2)),
    ),
  );
  const xOf = (share: number) => left + share * width;
  return (
    <figure className="max-w-160">
      <svg
        role="img"
        aria-label={words.chart(sentence)}
        viewBox={`0 0 ${left + width + 60} ${height}`}
        className="w-full"
      >
        {[0, 0.25, 0.5, 0.75, 1].map((tick) => (
          <g key={tick}>
            <line x1={xOf(tick)} x2={xOf(tick)} y1={0} y2={height - 20} className="stroke-line" />
            <text x={xOf(tick)} y={height - 5} textAnchor="middle" className="num fill-text-3 text-caption">
              {tick}
            </text>
          </g>
        ))}
        {figures.map(({ key, name, stored, trial }, index) => {
          const top = index * groupHeight + 6;
          const bars = [
            { share: stored, color: 'fill-c1' },
            ...(trial === undefined ? [] : [{ share: trial, color: 'fill-c2' }]),
          ];
          return (
            <g key={key}>
              <text x={0} y={top + (isCompared ? barHeight + 4 : barHeight - 3)} className="fill-text text-dense">
                {name}
              </text>
              {bars.map(({ share, color }, at) => {
                const y = top + at * (barHeight + 3);
                return (
                  <g key={color}>
                    <rect
                      x={left}
                      y={y}
                      width={Math.max(1, share * width)}
                      height={barHeight}
                      rx={3}
                      className={color}
                    />
                    <text x={xOf(share) + 6} y={y + barHeight - 3} className="num fill-text-2 text-caption">
                      {sayDecimal(share, 2)}
                    </text>
                  </g>
                );
              })}
            </g>
          );
        })}
      </svg>
      {isCompared && (
        <figcaption className="flex gap-4 text-caption text-text-2">
          <span className="flex items-center gap-1.5">
            <span aria-hidden className="size-2.5 rounded-1 bg-c1" />
            {searchTexts.stored}
          </span>
          <span className="flex items-center gap-1.5">
            <span aria-hidden className="size-2.5 rounded-1 bg-c2" />
            {searchTexts.trial}
          </span>
        </figcaption>
      )}
    </figure>
  );
}
