import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../../text/en.ts';
import { IconButton } from '../../ui/icon-button.tsx';

/** Picks files for the next message. */
export function FilePicker({ add }: { add: (files: Iterable<File>) => void }) {
  const picker = useRef<HTMLInputElement>(null);
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
