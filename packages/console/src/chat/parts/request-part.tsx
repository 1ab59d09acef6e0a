import { Suspense } from 'react';
import { useMay } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../text/en.ts';
import type { PartProps } from '../slots.ts';
import { useRequests } from './use-requests.ts';

const RequestCard = lazyPart(() =>
  import('../../inbox/request-card.tsx').then(({ RequestCard }) => ({ default: RequestCard })),
);

const Line = ({ children }: { children: React.ReactNode }) => (
  <p className="my-3 rounded-3 border border-line px-3.5 py-2.5 text-label text-text-2">{children}</p>
);

/** What the agent asks a person, in its place in the answer: a card while it waits, a line once it is answered. */
export function RequestPart({ part, thread }: PartProps) {
  const may = useMay();
  const { data } = useRequests(thread.conversationId);
  const approval = part['approval'] as { id?: string } | undefined;
  const request = data?.get(approval?.id ?? part.id ?? '');
  if (!may('agents_run')) return <Line>{t.chatParts.request.unseen}</Line>;
  if (!data) return <Line>{t.chatParts.request.loading}</Line>;
  if (!request) {
    const said = part['data'] as { message?: string; question?: string } | undefined;
    return <Line>{said?.question ?? said?.message ?? t.chatParts.request.unknown}</Line>;
  }
  return (
    <div className="my-3">
      <Suspense fallback={<Line>{t.chatParts.request.loading}</Line>}>
        <RequestCard request={request} />
      </Suspense>
    </div>
  );
}
