import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../text/en.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import type { AttachmentsProps } from '../slots.ts';
import { placeOf } from './attachments.ts';
import { useAttach } from './use-attach.ts';

/** Picks files for the next message. */
export function AttachButton({ conversationId }: AttachmentsProps) {
  const picker = useRef<HTMLInputElement>(null);
  const { add } = useAttach(placeOf(conversationId));
  return (
    <>
      <IconButton
        label={t.chatParts.files.attach}
        icon={<Paperclip size={16} />}
        onClick={() => picker.current?.click()}
      />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        tabIndex={-1}
        aria-hidden
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
    </>
  );
}
