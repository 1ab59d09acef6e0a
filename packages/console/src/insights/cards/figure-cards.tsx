import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sayCost, sayDecimal, sayDuration, sayNumber } from '../../lib/numbers.ts';
import { insightTexts } from '../../text/insights.ts';
import { Spark } from '../../ui/chart/spark.tsx';
import { Change } from '../figures/change.tsx';
import { conversationsOf } from '../figures/counted.ts';
import { firstWordQuery, type Overview, type Scope, seriesQuery } from '../figures/figures.ts';

const words = insightTexts.figures;
const figureOf = (overview: Overview, metric: string) =>
  overview.metrics.find((one) => one.metric === metric) ?? { value: null, before: null };
const linkLook = 'text-text no-underline after:absolute after:inset-0 after:rounded-3';

/** The four figures, each with its change and the way to what it counts. */
export function FigureCards({ scope, overview }: { scope: Scope; overview: Overview }) {
  const { agentId: agent, range, workspace: w } = scope;
  const firstWord = useQuery(firstWordQuery(scope)).data ?? { value: null, before: null };
  const spark = (query: ReturnType<typeof seriesQuery>, color: number) => <SeriesSpark query={query} color={color} />;
  const [conversations, csat, cost] = ['conversations', 'csat', 'cost'].map((metric) => figureOf(overview, metric));
  const times = { agent, from: range.start, to: range.end };
  const each = conversations?.value && cost?.value ? cost.value / conversations.value : undefined;
  return (
    <section aria-label={words.label} className="grid gap-3.5 phone:grid-cols-2 wide:grid-cols-4">
      <FigureCard
        name={words.conversations}
        value={sayNumber(conversations?.value ?? 0)}
        spark={spark(seriesQuery(scope, 'conversations'), 0)}
        note={<Change {...pick(conversations)} days={range.days} good="up" />}
        link={(children) => (
          <Link
            to="/w/$w/insights/conversations"
            params={{ w }}
            search={conversationsOf(overview.conversations)}
            className={linkLook}
          >
            {children}
          </Link>
        )}
      />
      <FigureCard
        name={words.csat}
        value={csat?.value ? words.outOfFive(sayDecimal(csat.value, 1)) : words.none}
        spark={spark(seriesQuery(scope, 'csat'), 4)}
        note={<Change {...pick(csat)} days={range.days} good="up" />}
        link={(children) => (
          <Link
            to="/w/$w/insights/feedback"
            params={{ w }}
            search={{ agent, after: range.start, before: range.end }}
            className={linkLook}
          >
            {children}
          </Link>
        )}
      />
      <FigureCard
        name={words.firstWord}
        value={firstWord.value === null ? words.none : sayDuration(firstWord.value)}
        spark={spark(seriesQuery(scope, 'time_to_first_token', 'p95'), 3)}
        note={<Change {...firstWord} days={range.days} good="down" />}
        link={(children) => (
          <Link to="/w/$w/runs" params={{ w }} search={{ ...times, kind: 'conversation' }} className={linkLook}>
            {children}
          </Link>
        )}
      />
      <FigureCard
        name={words.cost}
        value={cost?.value === null || cost?.value === undefined ? words.none : sayCost(cost.value)}
        spark={spark(seriesQuery(scope, 'cost'), 1)}
        note={
          <>
            <Change {...pick(cost)} days={range.days} good="down" />
            {each !== undefined && <span className="text-text-2">, {words.perConversation(sayCost(each))}</span>}
          </>
        }
        link={(children) => (
          <Link to="/w/$w/runs" params={{ w }} search={{ ...times, sort: '-cost' }} className={linkLook}>
            {children}
          </Link>
        )}
      />
    </section>
  );
}

const pick = (figure: { value: number | null; before: number | null } | undefined) => ({
  value: figure?.value ?? null,
  before: figure?.before ?? null,
});

function SeriesSpark({ query, color }: { query: ReturnType<typeof seriesQuery>; color: number }) {
  const { data } = useQuery(query);
  return data ? <Spark values={data.map(({ value }) => value)} color={color} /> : null;
}

interface FigureCardProps {
  name: string;
  value: string;
  spark: ReactNode;
  note: ReactNode;
  link: (children: ReactNode) => ReactNode;
}

function FigureCard({ name, value, spark, note, link }: FigureCardProps) {
  return (
    <article className="relative flex min-w-0 flex-col gap-1 rounded-3 border border-line bg-surface p-4 hover:border-line-2">
      <h2 className="text-dense font-normal text-text-2">
        {link(
          <>
            <span aria-hidden>{name}</span>
            <span className="sr-only">{`${name}: ${value}`}</span>
          </>,
        )}
      </h2>
      <div className="flex min-h-8 items-end justify-between gap-2">
        <span aria-hidden className="num text-title font-semibold whitespace-nowrap">
          {value}
        </span>
        {spark}
      </div>
      <p className="text-dense">{note}</p>
    </article>
  );
}
