import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useBase } from '../base/base-context.ts';
import { useRefreshBase } from '../base/use-base-actions.ts';
import { cleanPath, sayFolder } from '../queries.ts';
import { RightsEditor } from './rights-editor.tsx';

/** Who sees what lies in a folder, now and later. */
export function FolderRights({ folder, onClose }: { folder: string; onClose: () => void }) {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  const refresh = useRefreshBase();
  const query = useQuery({
    queryKey: [w, 'documents', base.id, 'folder-rights'],
    queryFn: () => client.folders.listRights(base.id),
  });
  const own = query.data?.find(({ prefix }) => cleanPath(prefix) === cleanPath(folder))?.visible_to ?? null;
  return (
    <Dialog open onClose={onClose} title={documentTexts.rights.folderTitle(sayFolder(folder))}>
      {query.isPending && <Loading />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.data && (
        <RightsEditor
          value={own}
          disabled={false}
          onSave={async (visible_to) => {
            await client.folders.setRights(base.id, { prefix: folder, visible_to });
            await refresh();
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}
