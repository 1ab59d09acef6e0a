import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../../api/session.ts';
import { sayChange, sayNumber } from '../../lib/numbers.ts';
import { insightTexts } from '../../text/insights.ts';
import { cx } from '../../ui/cx.ts';
import { conversationsOf } from '../figures/counted.ts';
import type { Overview, Scope } from '../figures/figures.ts';

const words = insightTexts.trouble;
const linkLook = 'text-text no-underline after:absolute after:inset-0';

/** What went wrong in this time: each count leads to what it counts. */
export function TroubleCards({ scope, overview }: { scope: Scope; overview: Overview }) {
  const { client, workspace: w, agentId: agent, range } = scope;
  const may = useMay();
  const counted = { agent, after: range.start, before: range.end };
  const { data: down } = useQuery({
    queryKey: [w, 'feedback', 'down', agent, range.start, range.end],
    queryFn: async () => {
      const times = { created_after: range.start, created_before: range.end };
      return (
        await client.feedback.listAll({ rating: 'down', size: 1, ...times, ...(agent && { assistant_id: agent }) })
      ).total;
    },
    enabled: may('conversations_read'),
  });
  const figure = (metric: string) => overview.metrics.find((one) => one.metric === metric);
  const entries = [
    [
      words.failures,
      ...[figure('failures')?.value, figure('failures')?.before],
      (children: ReactNode) => (
        <Link
          to="/w/$w/runs"
          params={{ w }}
          search={{ agent, status: 'failed', from: range.start, to: range.end }}
          className={linkLook}
        >
          {children}
        </Link>
      ),
    ],
    [
      words.violations,
      ...[figure('guardrail_violations')?.value, figure('guardrail_violations')?.before],
      (children: ReactNode) => (
        <Link to="/w/$w/insights/violations" params={{ w }} search={counted} className={linkLook}>
          {children}
        </Link>
      ),
    ],
    [
      words.down,
      ...[down, undefined],
      (children: ReactNode) => (
        <Link to="/w/$w/insights/feedback" params={{ w }} search={{ ...counted, rating: 'down' }} className={linkLook}>
          {children}
        </Link>
      ),
    ],
    [
      words.unanswered,
      ...[figure('knowledge_searches_without_answer')?.value, figure('knowledge_searches_without_answer')?.before],
      (children: ReactNode) => (
        <Link
          to="/w/$w/insights/conversations"
          params={{ w }}
          search={conversationsOf(overview.conversations)}
          className={linkLook}
        >
          {children}
        </Link>
      ),
    ],
  ] as [string, number | null | undefined, number | null | undefined, (children: ReactNode) => ReactNode][];
  return (
    <section
      aria-label={words.label}
      className="grid divide-line rounded-3 border border-line bg-surface max-wide:divide-y phone:grid-cols-2 wide:grid-cols-4 wide:divide-x"
    >
      {entries.map(([name, value, before, link]) => (
        <div key={name} className="relative flex min-h-12 items-center gap-2 px-4 py-2.5 text-dense hover:bg-bg">
          {link(
            <>
              <span aria-hidden>{name}</span>
              <span className="sr-only">{`${name}: ${sayNumber(value ?? 0)}`}</span>
            </>,
          )}
          <span className="num ml-auto text-text-2">{value && before ? sayChange(value, before) : ''}</span>
          <span aria-hidden className={cx('num text-section font-semibold', !value && 'text-text-3')}>
            {sayNumber(value ?? 0)}
          </span>
        </div>
      ))}
    </section>
  );
}
