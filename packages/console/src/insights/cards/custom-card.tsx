import { useQuery } from '@tanstack/react-query';
import { sayDecimal, sayNumber } from '../../lib/numbers.ts';
import { insightTexts } from '../../text/insights.ts';
import type { Scope } from '../figures/figures.ts';
import { Card } from './card.tsx';

const words = insightTexts.custom;
const most = 6;

/** What a model answered to the agent's own questions about its chats. */
export function CustomCard({ scope, agentId }: { scope: Scope; agentId: string }) {
  const { client, workspace, range } = scope;
  const days = Math.min(90, range.days);
  const { data } = useQuery({
    queryKey: [workspace, 'insights', agentId, 'custom', days],
    queryFn: () => client.insights.customAnswers(agentId, { days }),
    staleTime: 60_000,
  });
  if (!data || data.insights.length === 0) return null;
  return (
    <Card title={words.title}>
      {data.insights.map(({ name, question, count, average, answers }) => (
        <div key={name} className="flex flex-col gap-1 text-dense">
          <h3 className="font-medium">{question ?? name}</h3>
          <p className="num text-text-2">
            {count === 0 ? words.none : words.answers(count)}
            {average !== null && `, ${sayDecimal(average, 1)}`}
          </p>
          <ul>
            {answers.slice(0, most).map(({ answer, count: times }) => (
              <li key={String(answer)} className="flex gap-2">
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {String(answer)}
                </span>
                <span className="num text-text-2">{sayNumber(times)}</span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Card>
  );
}
