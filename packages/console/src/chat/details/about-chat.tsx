import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayCost, sayNumber } from '../../lib/numbers.ts';
import { sayExactTime, sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import type { ConversationSlotProps } from '../slots.ts';
import { useThread } from '../thread/use-thread.ts';
import { PanelSection } from './panel-section.tsx';

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-text-3">{name}</dt>
    <dd className="num min-w-0 wrap-anywhere">{children}</dd>
  </>
);

/** Model, tokens, cost and channel of a chat. */
export function AboutChat({ conversation, thread }: ConversationSlotProps) {
  const { id, etag, chat_transport, created_at, created_by_actor } = conversation;
  const client = useClient();
  const { id: w } = useWorkspace();
  const model = useThread(
    thread,
    ({ messages }) => messages.findLast(({ metadata }) => metadata?.model)?.metadata?.model,
  );
  const { data } = useQuery({
    queryKey: [w, 'runs', 'of-conversation', id, etag],
    queryFn: () => client.runs.list({ conversation_id: id, kind: 'conversation', size: 100 }),
    placeholderData: (before) => before,
    retry: false,
  });
  const used = data?.items.map(({ usage }) => usage);
  const costs = used?.flatMap(({ cost }) => cost ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const texts = t.chatParts.details;
  return (
    <PanelSection title={texts.about}>
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-3.5 gap-y-1 text-label">
        {model && <Row name={texts.model}>{model}</Row>}
        {used && <Row name={texts.tokens}>{sayNumber(sum(used.map(({ tokens }) => tokens)))}</Row>}
        {costs && costs.length > 0 && <Row name={texts.cost}>{sayCost(sum(costs))}</Row>}
        <Row name={texts.channel}>{chat_transport ?? texts.console}</Row>
        <Row name={texts.begun}>
          <time dateTime={created_at} title={sayExactTime(created_at)}>
            {sayTime(created_at)}
          </time>
        </Row>
        {created_by_actor?.name && <Row name={texts.by}>{created_by_actor.name}</Row>}
      </dl>
    </PanelSection>
  );
}
