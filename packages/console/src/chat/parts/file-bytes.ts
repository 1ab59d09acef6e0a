import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import type { UiPart } from '../thread/message-types.ts';

/** A file as a message or the list of the conversation names it. */
export interface ShownFile {
  id: string;
  name: string;
  type: string;
  size?: number | undefined;
}

/** The file of a part; its id is empty for one that is still on its way. */
export function fileOfPart(part: UiPart): ShownFile {
  const own = (part['providerMetadata'] as { atrium?: { id?: string; filename?: string; size?: number } })?.atrium;
  const stored = /^store:\/\/([0-9a-f-]{36})$/i.exec(String(part['url'] ?? ''))?.[1];
  return {
    id: own?.id ?? stored ?? '',
    name: own?.filename || String(part['filename'] ?? '') || t.chatParts.files.unnamed,
    type: String(part['mediaType'] ?? ''),
    size: own?.size,
  };
}

/** Pictures that a browser shows without running anything in them. */
export const isPicture = (type: string) => /^image\/(?:png|jpeg|gif|webp)$/.test(type);
export const isText = (type: string) => /^(?:text\/|application\/json)/.test(type);

/** The bytes of a file of a conversation. The request names the workspace, which an address alone can't. */
export function useBytes(conversationId: string, { id }: ShownFile, enabled: boolean) {
  const client = useClient();
  const { id: w } = useWorkspace();
  return useQuery({
    queryKey: [w, 'conversation-files', conversationId, id],
    queryFn: async () => (await client.conversationFiles.view(conversationId, id)).blob(),
    enabled: enabled && id !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** An address of these bytes for as long as they are shown. */
export function useAddress(bytes: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const made = URL.createObjectURL(bytes);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return address;
}
