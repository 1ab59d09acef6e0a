import { useSyncExternalStore } from 'react';
import { t } from '../../text/en.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { chatSlots } from '../parts/slots.ts';
import type { ConversationSlotProps } from '../slots.ts';

const wide = matchMedia('(min-width: 1280px)');
const listen = (changed: () => void) => {
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
};

/** The details of a conversation: a pane where there is room for three, else a drawer, on phones from below. */
export function DetailsPane({
  open,
  onClose,
  ...props
}: ConversationSlotProps & { open: boolean; onClose: () => void }) {
  const isWide = useSyncExternalStore(listen, () => wide.matches);
  const { DetailsPanel } = chatSlots;
  if (!DetailsPanel || !open) return null;
  if (!isWide)
    return (
      <Drawer open onClose={onClose} title={t.chat.details.title}>
        <DetailsPanel {...props} />
      </Drawer>
    );
  return (
    <aside aria-label={t.chat.details.title} className="w-72 flex-none overflow-y-auto border-l border-line bg-bg">
      <DetailsPanel {...props} />
    </aside>
  );
}
