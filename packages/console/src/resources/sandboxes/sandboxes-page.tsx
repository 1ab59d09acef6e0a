import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, SquareTerminal } from 'lucide-react';
import { Suspense, useDeferredValue, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { sayTime } from '../../lib/time.ts';
import { connectionTexts } from '../../text/connections.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Select } from '../../ui/select.tsx';
import { FindBar, Listed, TabBody, useRows } from '../common/listed.tsx';
import { Row } from '../common/row.tsx';
import { usePages } from '../common/use-pages.ts';
import { SandboxActions } from './sandbox-actions.tsx';
import { nameOf, type Sandbox, stateTones } from './sandboxes.ts';

const NewSandbox = lazyPart(() => import('./new-sandbox.tsx').then(({ NewSandbox }) => ({ default: NewSandbox })));
const words = connectionTexts.sandboxes;
type Status = keyof typeof words.states;

/** The places where code runs, those of agents included. A row leads to its terminal. */
export function SandboxesPage() {
  const { search = '', kind: status } = useSearch({ from: '/signed-in/w/$w/resources/$tab' });
  const navigate = useNavigate({ from: '/w/$w/resources/$tab' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const { list, focusAt } = useRows();
  const [isNew, setNew] = useState(false);
  const asked = useDeferredValue(search.trim());
  const filter = { ...(asked && { search: asked }), ...(status && { status: status as Status }) };
  const pages = usePages(
    ['sandboxes', 'list', filter],
    (page) => client.sandboxes.list({ page, size: 50, ...filter }),
    // No event tells of sandboxes, which stop by themselves.
    { refetchInterval: (items) => (items.some((sandbox) => sandbox.status === 'creating') ? 2000 : 30_000) },
  );
  const show = (next: Record<string, string | undefined>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const open = ({ id }: Pick<Sandbox, 'id'>) =>
    void navigate({ to: '/w/$w/resources/sandboxes/$id', params: { w, id }, search: {} });
  const addButton = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setNew(true)}>
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
      >
        <Select
          aria-label={words.status}
          value={status ?? ''}
          empty={words.allStates}
          options={Object.entries(words.states).map(([value, label]) => ({ value, label }))}
          onChange={(value) => show({ kind: value || undefined })}
          className="w-36"
        />
      </FindBar>
      <Listed
        label={words.list}
        pages={pages}
        listRef={list}
        none={{ ...words.none, icon: <SquareTerminal size={20} aria-hidden /> }}
        first={addButton}
        filtered={
          asked || status
            ? { title: words.noneFound, onClear: () => show({ search: undefined, kind: undefined }) }
            : undefined
        }
        rowOf={(sandbox, index) => (
          <Row
            key={sandbox.id}
            icon={<SquareTerminal size={16} />}
            title={nameOf(sandbox)}
            onOpen={() => open(sandbox)}
            chips={
              <>
                <Chip tone={stateTones[sandbox.status]} dot>
                  {words.states[sandbox.status]}
                </Chip>
                {sandbox.network && <Chip tone="warn">{words.online}</Chip>}
              </>
            }
            end={<SandboxActions sandbox={sandbox} onDeleted={() => focusAt(index)} />}
          >
            <p>
              {[
                sandbox.persistent ? words.keeps : words.goes,
                words.isolations[sandbox.isolation],
                words.used(sayTime(sandbox.last_activity)),
              ].join(' · ')}
            </p>
            {sandbox.error && <p className="break-words text-bad">{sandbox.error}</p>}
          </Row>
        )}
      />
      <Suspense>{isNew && <NewSandbox onClose={() => setNew(false)} onMade={open} />}</Suspense>
    </TabBody>
  );
}
