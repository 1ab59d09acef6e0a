import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sayChange, sayCost, sayNumber } from '../../lib/numbers.ts';
import { insightTexts } from '../../text/insights.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { conversationsOf, toolCallsOf } from '../figures/counted.ts';
import { type Group, type Grouping, groupsQuery, type Overview, type Scope } from '../figures/figures.ts';
import { Card } from './card.tsx';

const words = insightTexts.groups;
const groupings = Object.keys(words.names) as Grouping[];
const further = ['cost', 'failures', 'guardrail_violations', 'knowledge_searches_without_answer'] as const;
const say = (metric: string, value: number) => (metric === 'cost' ? sayCost(value) : sayNumber(value));

interface GroupTableProps {
  scope: Scope;
  group: string | undefined;
  onGroup: (group: Grouping) => void;
}

/** The figures by topic, agent, channel, tool or person. Each row leads to its conversations. */
export function GroupTable({ scope, group: asked, onGroup }: GroupTableProps) {
  const known = groupings.filter((one) => (scope.agentId ? one !== 'agent' : one !== 'version'));
  const group = known.find((one) => one === asked) ?? 'topic';
  const query = useQuery(groupsQuery(scope, group));
  const [first] = query.data?.metrics ?? [];
  const isTool = group === 'tool';
  return (
    <Card
      className="min-h-70"
      title={words.label}
      beside={
        <Segmented
          label={words.label}
          value={group}
          options={known.map((value) => ({ value, label: words.names[value] }))}
          onChange={onGroup}
        />
      }
    >
      {query.isPending && <Loading rows={5} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {first && first.groups.length === 0 && (
        <p className="text-dense text-text-2">{group === 'topic' ? words.noTopics : words.none}</p>
      )}
      {query.data && first && first.groups.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard.
        <section tabIndex={0} aria-label={words.names[group]} className="overflow-x-auto">
          <table className="num w-full text-dense">
            <thead className="text-text-2">
              <tr className="border-b border-line">
                <th scope="col" className="py-1.5 text-left font-medium">
                  {words.names[group]}
                </th>
                <td className="w-2/5 max-narrow:hidden" />
                <Heading>{isTool ? words.columns.tool_calls : words.columns.conversations}</Heading>
                <Heading>{words.columns.change}</Heading>
                {!isTool && further.map((metric) => <Heading key={metric}>{words.columns[metric]}</Heading>)}
              </tr>
            </thead>
            <tbody>
              {first.groups.map((entry) => (
                <Row
                  key={entry.id ?? ''}
                  {...{ entry, group, workspace: scope.workspace, overview: query.data }}
                  largest={first.groups[0]?.value ?? 1}
                />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  );
}

const Heading = ({ children }: { children: string }) => (
  <th scope="col" className="px-2 py-1.5 text-right font-medium whitespace-nowrap">
    {children}
  </th>
);

interface RowProps {
  entry: Group;
  group: Grouping;
  workspace: string;
  overview: Overview;
  largest: number;
}

function Row({ entry, group, workspace: w, overview, largest }: RowProps) {
  const label =
    entry.id === null ? words.withoutGroup : (group === 'channel' && insightTexts.channels[entry.id]) || entry.label;
  const look = 'font-medium text-text';
  const figureAt = (metric: string) =>
    overview.metrics.find((one) => one.metric === metric)?.groups.find(({ id }) => id === entry.id)?.value ?? null;
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="max-w-56 truncate py-2 pr-3 text-left font-normal">
        {entry.tool_calls ? (
          <Link to="/w/$w/insights/tool-calls" params={{ w }} search={toolCallsOf(entry.tool_calls)} className={look}>
            {label}
          </Link>
        ) : entry.conversations ? (
          <Link
            to="/w/$w/insights/conversations"
            params={{ w }}
            search={conversationsOf(entry.conversations, label)}
            className={look}
          >
            {label}
          </Link>
        ) : (
          label
        )}
      </th>
      <td className="max-narrow:hidden">
        <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-sunken">
          <span
            className="block h-full rounded-full bg-c1"
            style={{ width: `${((entry.value ?? 0) / Math.max(1, largest)) * 100}%` }}
          />
        </span>
      </td>
      <td className="px-2 text-right font-medium">{sayNumber(entry.value ?? 0)}</td>
      <td className="px-2 text-right text-text-2">
        {entry.value && entry.before ? sayChange(entry.value, entry.before) : ''}
      </td>
      {group !== 'tool' &&
        further.map((metric) => {
          const value = figureAt(metric);
          return (
            <td key={metric} className="px-2 text-right text-text-2">
              {value === null ? '–' : say(metric, value)}
            </td>
          );
        })}
    </tr>
  );
}
