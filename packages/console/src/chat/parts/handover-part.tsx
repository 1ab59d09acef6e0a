import { UserRound } from 'lucide-react';
import { t } from '../../text/en.ts';
import { Banner } from '../../ui/banner.tsx';
import type { PartProps } from '../slots.ts';

/** The place where the agent left the chat to a person. */
export function HandoverPart({ part }: PartProps) {
  const { note } = (part['data'] ?? {}) as { note?: string };
  return (
    <div className="my-3">
      <Banner tone="warn" icon={<UserRound size={16} />} title={t.chatParts.handover.title}>
        {note && t.chatParts.handover.note(note)}
      </Banner>
    </div>
  );
}
