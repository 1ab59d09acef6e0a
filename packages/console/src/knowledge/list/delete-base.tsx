import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { UseList } from '../base/use-list.tsx';
import { type Base, usesQuery } from '../queries.ts';

const words = baseTexts.remove;

interface DeleteBaseProps {
  base: Pick<Base, 'id' | 'name' | 'total_documents'>;
  onClose: () => void;
  onDone: () => void;
}

/** Asks before a knowledge base is deleted, and names what uses it. */
export function DeleteBase({ base, onClose, onDone }: DeleteBaseProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const { data, error, isPending } = useQuery(usesQuery(client, w, base.id));
  const isUsed = data !== undefined && data.items.length + data.hidden > 0;
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.title(base.name)}
      help={words.help(base.total_documents)}
      action={words.submit}
      onConfirm={async () => {
        await client.knowledgeBases.delete(base.id);
        onDone();
        queries.removeQueries({ queryKey: [w, 'knowledge_bases', 'one', base.id] });
        await queries.invalidateQueries({ queryKey: [w, 'knowledge_bases', 'list'] });
        sayToast({ text: words.done(base.name) });
      }}
    >
      {isPending && <Loading rows={2} />}
      {error && <ErrorState error={error} className="m-0" />}
      {data && !isUsed && <p className="text-dense text-text-2">{words.unused}</p>}
      {data && isUsed && (
        <>
          <p className="mb-2 text-label font-medium">{words.usedBy}</p>
          <UseList uses={data} />
        </>
      )}
    </Confirm>
  );
}
