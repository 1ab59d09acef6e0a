import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, Variable as VariableIcon } from 'lucide-react';
import { Suspense, useDeferredValue, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { FindBar, Listed, TabBody, useRows } from '../common/listed.tsx';
import { usePages } from '../common/use-pages.ts';
import { VariableRow } from './variable-row.tsx';
import type { Variable } from './variables.ts';

const VariableDialog = lazyPart(() =>
  import('./variable-dialog.tsx').then(({ VariableDialog }) => ({ default: VariableDialog })),
);
const DeleteVariable = lazyPart(() =>
  import('./delete-variable.tsx').then(({ DeleteVariable }) => ({ default: DeleteVariable })),
);
const words = resourceTexts.variables;

/** The values of the workspace. The one that is edited is in the address. */
export function VariablesPage() {
  const { search = '', variable: openId } = useSearch({ from: '/signed-in/w/$w/resources/$tab' });
  const navigate = useNavigate({ from: '/w/$w/resources/$tab' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const mayEdit = useMay()('variables_edit');
  const [isNew, setNew] = useState(false);
  const [deleting, setDeleting] = useState<Variable>();
  const { list, focusAt } = useRows();
  const asked = useDeferredValue(search.trim());
  const pages = usePages(['variables', 'list', asked], (page) =>
    client.variables.list({ page, size: 50, ...(asked && { search: asked }) }),
  );
  const listed = pages.items.find(({ id }) => id === openId);
  // An address may name one that is not on the loaded pages.
  const { data: other } = useQuery({
    queryKey: [w, 'variables', 'one', openId],
    queryFn: () => client.variables.get(openId ?? ''),
    enabled: openId !== undefined && pages.query.isSuccess && !listed,
  });
  const edited = listed ?? (other?.id === openId ? other : undefined);
  const show = (next: { search?: string | undefined; variable?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const refused = !mayEdit && resourceTexts.needs('variables_edit');
  const addButton = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} refused={refused} onClick={() => setNew(true)}>
      {words.add}
    </Button>
  );
  return (
    <TabBody>
      <FindBar
        label={words.find}
        value={search}
        onChange={(text) => show({ search: text || undefined })}
        count={pages.query.data && words.count(pages.total)}
        actions={addButton}
      />
      <Listed
        label={words.list}
        pages={pages}
        listRef={list}
        rowOf={(variable) => (
          <VariableRow
            key={variable.id}
            variable={variable}
            onEdit={() => show({ variable: variable.id })}
            onDelete={() => setDeleting(variable)}
          />
        )}
        none={{ ...words.none, icon: <VariableIcon size={20} aria-hidden /> }}
        first={addButton}
        filtered={asked ? { title: words.noneFound(asked), onClear: () => show({ search: undefined }) } : undefined}
      />
      <Suspense>
        {isNew && <VariableDialog variable={undefined} onClose={() => setNew(false)} />}
        {edited && <VariableDialog key={edited.id} variable={edited} onClose={() => show({ variable: undefined })} />}
        {deleting && (
          <DeleteVariable
            variable={deleting}
            onClose={() => setDeleting(undefined)}
            onDeleted={() => focusAt(pages.items.findIndex(({ id }) => id === deleting.id))}
          />
        )}
      </Suspense>
    </TabBody>
  );
}
