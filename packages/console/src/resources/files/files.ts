import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { saveBytes } from '../../chat/parts/save-bytes.ts';
import { sayFailure } from '../../ui/toast.tsx';

export type StoredFile = ItemOf<'files.list'>;

/** Kinds of files that the server draws a picture of. */
const drawn = /^image\/(?:png|jpeg|gif|webp|bmp)$|^application\/pdf$|officedocument/;
export const hasPicture = ({ content_type }: StoredFile): boolean => drawn.test(content_type);

/** A small picture of a file. The request names the workspace, which an address alone can't. */
export function usePicture(file: StoredFile, width: number, enabled: boolean) {
  const client = useClient();
  const { id: w } = useWorkspace();
  return useQuery({
    queryKey: [w, 'file-pictures', file.id, width],
    queryFn: async () => (await client.files.thumbnail(file.id, { width }, { maxRetries: 0 })).blob(),
    enabled: enabled && hasPicture(file),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Hands a file to the browser as a download. */
export function useDownloadFile() {
  const client = useClient();
  return async ({ id, filename }: Pick<StoredFile, 'id' | 'filename'>) => {
    try {
      saveBytes(filename, await (await client.files.download(id)).blob());
    } catch (error) {
      sayFailure(error);
    }
  };
}
