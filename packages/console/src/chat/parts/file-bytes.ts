import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import type { ShownFile } from './shown-file.ts';

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
