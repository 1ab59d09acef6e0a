import { useId } from 'react';
import { useClient, useMay } from '../../api/session.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { WordDiff } from '../../ui/diff.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useRefresh } from '../common/queries.ts';
import { useAction } from '../common/use-action.ts';
import { usePages } from '../common/use-pages.ts';
import type { McpServer, McpTool } from './servers.ts';
import { Schema } from './trial-result.tsx';

const words = connectionTexts.servers;
const tones = { accepted: 'ok', changed: 'warn', new: 'warn' } as const;

/** The tools that agents have met, those that are held back first. */
export function ServerTools({ server }: { server: McpServer }) {
  const client = useClient();
  const title = useId();
  const { query, items } = usePages(['mcp-tools', server.id, server.etag], (page) =>
    client.mcpServers.listTools(server.id, { page, size: 100 }),
  );
  const sorted = items.toSorted((one, other) => Number(other.held !== null) - Number(one.held !== null));
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h3 id={title} className="text-section">
        {words.tools}
      </h3>
      {server.held > 0 && (
        <Banner tone="warn" title={words.heldTitle(server.held)}>
          {words.heldHelp}
        </Banner>
      )}
      {query.isPending && <Loading rows={3} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.isSuccess && items.length === 0 && <p className="text-dense text-text-2">{words.notMet}</p>}
      {sorted.length > 0 && (
        <ul aria-label={words.tools} className="divide-y divide-line rounded-3 border border-line">
          {sorted.map((tool) => (
            <ToolRow key={tool.name} server={server} tool={tool} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.ui.loadMore}
        </Button>
      )}
    </section>
  );
}

/** A tool. What is held back is shown against what agents use now, and accepted exactly as it was seen. */
function ToolRow({ server, tool }: { server: McpServer; tool: McpTool }) {
  const { name, state, accepted, held } = tool;
  const client = useClient();
  const mayEdit = useMay()('integrations_edit');
  const refresh = useRefresh('mcp_servers', 'mcp-tools');
  const { busy, run } = useAction();
  const accept = (digest: string) =>
    run(() => client.mcpServers.acceptTools(server.id, { digests: { [name]: digest } }), words.accepted(name)).then(
      refresh,
    );
  const schemas = [accepted?.input_schema, held?.input_schema].map(
    (schema) => schema && JSON.stringify(schema, null, 2),
  );
  return (
    <li className="flex flex-col gap-1 px-3.5 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-mono text-code font-medium break-all">{name}</span>
        <Chip tone={tones[state]} dot>
          {words.toolStates[state]}
        </Chip>
        {held && (
          <Button
            size="small"
            className="ml-auto"
            busy={busy}
            aria-label={words.acceptOf(name)}
            refused={!mayEdit && resourceTexts.needs('integrations_edit')}
            onClick={() => void accept(held.digest)}
          >
            {words.accept}
          </Button>
        )}
      </div>
      {held && accepted ? (
        <WordDiff before={accepted.description} after={held.description} />
      ) : (
        <p dir="auto" className="text-dense break-words whitespace-pre-wrap text-text-2">
          {(held ?? accepted)?.description}
        </p>
      )}
      {held && accepted && schemas[0] !== schemas[1] ? (
        <details open className="text-dense">
          <summary className="cursor-pointer text-text-2 hover:text-text">{words.input}</summary>
          <div className="mt-1 rounded-2 bg-sunken p-3 font-mono text-code">
            <WordDiff before={schemas[0] ?? ''} after={schemas[1] ?? ''} />
          </div>
        </details>
      ) : (
        <Schema schema={(held ?? accepted)?.input_schema ?? {}} />
      )}
    </li>
  );
}
