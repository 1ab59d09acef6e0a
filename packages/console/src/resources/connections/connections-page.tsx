import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plug, Plus } from 'lucide-react';
import { Suspense, useDeferredValue, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { FindBar, Listed, useRows } from '../common/listed.tsx';
import { Row } from '../common/row.tsx';
import { TwoPanes } from '../common/two-panes.tsx';
import { usePages } from '../common/use-pages.ts';
import { ServerDetails } from './server-details.tsx';
import { type McpServer, shortAddress, signInOf } from './servers.ts';
import { Vaults } from './vaults.tsx';

const ServerDialog = lazyPart(() =>
  import('./server-dialog.tsx').then(({ ServerDialog }) => ({ default: ServerDialog })),
);
const words = connectionTexts.servers;

/** What the workspace is connected to: MCP servers, and vaults. The chosen server is in the address. */
export function ConnectionsPage() {
  const { search = '', server: chosenId } = useSearch({ from: '/signed-in/w/$w/resources/$tab' });
  const navigate = useNavigate({ from: '/w/$w/resources/$tab' });
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  const mayServers = may('integrations_edit');
  const { list, focusAt } = useRows();
  const [edited, setEdited] = useState<McpServer | 'new'>();
  const asked = useDeferredValue(search.trim());
  const pages = usePages(
    ['mcp_servers', 'list', asked],
    (page) => client.mcpServers.list({ page, size: 50, ...(asked && { search: asked }) }),
    { enabled: mayServers },
  );
  const listed = pages.items.find(({ id }) => id === chosenId);
  const one = useQuery({
    queryKey: [w, 'mcp_servers', 'one', chosenId],
    queryFn: () => client.mcpServers.get(chosenId ?? ''),
    enabled: chosenId !== undefined && pages.query.isSuccess && !listed,
  });
  const chosen = listed ?? (one.data?.id === chosenId ? one.data : undefined);
  const show = (next: Record<string, string | undefined>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const focusRow = () => focusAt(pages.items.findIndex(({ id }) => id === chosenId));
  const back = () => {
    show({ server: undefined });
    focusRow();
  };
  const addButton = (
    <Button
      look="primary"
      icon={<Plus size={15} aria-hidden />}
      refused={!mayServers && resourceTexts.needs('integrations_edit')}
      onClick={() => setEdited('new')}
    >
      {words.add}
    </Button>
  );
  const rowOf = (server: McpServer) => {
    const state = signInOf(server);
    return (
      <Row
        key={server.id}
        icon={<Plug size={16} />}
        title={shortAddress(server.url)}
        isOpen={server.id === chosenId}
        onOpen={() => show({ server: server.id })}
        chips={
          <>
            <Chip tone={state.tone} dot>
              {state.label}
            </Chip>
            {server.held > 0 && <Chip tone="warn">{words.held(server.held)}</Chip>}
          </>
        }
      >
        {server.tools.length > 0 ? words.toolCount(server.tools.length) : words.notMet}
      </Row>
    );
  };
  const rows = (
    <>
      <FindBar
        label={words.find}
        value={search}
        onChange={(text) => show({ search: text || undefined })}
        actions={addButton}
      />
      <h2 className="text-section">{words.title}</h2>
      {mayServers ? (
        <Listed
          label={words.list}
          pages={pages}
          listRef={list}
          rowOf={rowOf}
          none={{ ...words.none, icon: <Plug size={20} aria-hidden /> }}
          first={addButton}
          filtered={asked ? { title: words.noneFound, onClear: () => show({ search: undefined }) } : undefined}
        />
      ) : (
        <EmptyState title={words.mayNot} help={resourceTexts.mayNotHelp('integrations_edit')} />
      )}
      {may('variables_read') ? (
        <Vaults search={asked} onClear={() => show({ search: undefined })} />
      ) : (
        <EmptyState title={connectionTexts.vaults.mayNot} help={resourceTexts.mayNotHelp('variables_read')} />
      )}
    </>
  );
  return (
    <>
      <TwoPanes
        list={rows}
        chosen={
          chosen ? (
            <ServerDetails
              key={chosen.id}
              server={chosen}
              onEdit={() => setEdited(chosen)}
              onBack={back}
              onDeleted={focusRow}
            />
          ) : chosenId && one.isError ? (
            <EmptyState title={t.failures.gone.title} help={t.failures.gone.help}>
              <Button onClick={() => show({ server: undefined })}>{words.toList}</Button>
            </EmptyState>
          ) : undefined
        }
      />
      <Suspense>
        {edited && (
          <ServerDialog
            server={edited === 'new' ? undefined : edited}
            onClose={() => setEdited(undefined)}
            onSaved={(saved) => {
              setEdited(undefined);
              show({ server: saved.id });
            }}
          />
        )}
      </Suspense>
    </>
  );
}
