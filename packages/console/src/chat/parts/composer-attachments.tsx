import type { AttachmentsProps } from '../slots.ts';
import { AttachmentList } from './attachment-list.tsx';
import { placeOf } from './attachments.ts';
import { useAttach } from './use-attach.ts';

/** The files of the next message of a person of the workspace. */
export function ComposerAttachments({ conversationId, onChange, sent }: AttachmentsProps) {
  const place = placeOf(conversationId);
  return <AttachmentList place={place} {...useAttach(place)} onChange={onChange} sent={sent} />;
}
