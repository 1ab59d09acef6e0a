import { ShieldAlert } from 'lucide-react';
import { t } from '../../text/en.ts';
import { Banner } from '../../ui/banner.tsx';
import type { PartProps, PartRegistry } from '../slots.ts';

const dataOf = (part: PartProps['part']) => (part['data'] ?? {}) as Record<string, unknown>;

function FooterPart({ part }: PartProps) {
  return (
    <p className="mt-3 border-t border-line pt-2 text-caption text-text-3">{String(dataOf(part)['text'] ?? '')}</p>
  );
}

function RetractPart(_: PartProps) {
  return (
    <div className="my-3">
      <Banner tone="warn" icon={<ShieldAlert size={16} />} title={t.chat.thread.withheld} />
    </div>
  );
}

/** Failures are shown with the message's state, once. */
const Nothing = () => null;

/** Notices that the server puts into messages. */
export const noticeParts: PartRegistry = {
  'data-footer': FooterPart,
  'data-retract': RetractPart,
  'data-error': Nothing,
  'data-warning': Nothing,
};
