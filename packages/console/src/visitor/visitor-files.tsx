import { AttachmentList } from '../chat/parts/attachment-list.tsx';
import { addAttachment, attachedTo, changeAttachment, removeAttachment } from '../chat/parts/attachments.ts';
import { FilePicker } from '../chat/parts/file-picker.tsx';
import type { AttachmentsProps, ChatSlots } from '../chat/slots.ts';
import { sayBytes } from '../lib/numbers.ts';
import { readAsBase64 } from '../lib/read-base64.ts';
import { t } from '../text/en.ts';
import { sayToast } from '../ui/toast.tsx';

const place = 'visitor';
/** Files of visitors go inside of the message: together they have to fit into one request. */
const most = 20 * 1024 * 1024;

async function read(file: File): Promise<void> {
  const { key } = addAttachment(place, file);
  try {
    changeAttachment(place, key, { b64: await readAsBase64(file), progress: 1 });
  } catch {
    changeAttachment(place, key, { failure: t.chatParts.files.failed(file.name) });
  }
}

function add(files: Iterable<File>): void {
  for (const file of files) {
    const total = attachedTo(place).reduce((sum, { size }) => sum + size, file.size);
    const refused =
      file.size === 0
        ? t.chatParts.files.empty(file.name)
        : total > most
          ? t.chatParts.files.tooMuch(sayBytes(most))
          : undefined;
    if (refused) sayToast({ text: refused, bad: true });
    else void read(file);
  }
}

const remove = (key: number) => void removeAttachment(place, key);

/** Files of a visitor, who has no store of their own. */
export const visitorFiles: Pick<ChatSlots, 'ComposerAttachments' | 'ComposerTools'> = {
  ComposerAttachments: ({ onChange, sent }: AttachmentsProps) => (
    <AttachmentList place={place} add={add} remove={remove} onChange={onChange} sent={sent} />
  ),
  ComposerTools: () => <FilePicker add={add} />,
};
