import type { AttachmentsProps } from '../slots.ts';
import { placeOf } from './attachments.ts';
import { FilePicker } from './file-picker.tsx';
import { useAttach } from './use-attach.ts';

export const AttachButton = ({ conversationId }: AttachmentsProps) => (
  <FilePicker add={useAttach(placeOf(conversationId)).add} />
);
