import { useQuery } from '@tanstack/react-query';
import { CircleAlert, RotateCw, Trash2 } from 'lucide-react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { asBox, asList, asText } from '../../forms/controls/control-props.ts';
import { NestedFields } from '../../forms/controls/nested-fields.tsx';
import type { NestedField } from '../../forms/form-types.ts';
import { agentServerTexts } from '../../text/agent-actions.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toggleTool } from './server-names.ts';

const words = agentServerTexts;
const ownFields = ['name', 'url', 'allowed_tools'];
export type ServerEntry = Readonly<Record<string, unknown>>;

interface ServerCardProps {
  entry: ServerEntry;
  fields: readonly NestedField[];
  disabled: boolean;
  onChange: (entry: ServerEntry) => void;
  onRemove: () => void;
}

/** One MCP server of an agent, with its tools as switches. */
export function ServerCard({ entry, fields, disabled, onChange, onRemove }: ServerCardProps) {
  const name = asText(entry['name']);
  const url = asText(entry['url']);
  const others = fields.filter(({ key }) => !ownFields.includes(key));
  return (
    <section aria-label={name} className="flex flex-col gap-3 rounded-3 border border-line p-3.5">
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{name}</p>
          <p className="font-mono text-code break-all text-text-2">{url}</p>
        </div>
        {!disabled && <IconButton label={words.remove(name)} icon={<Trash2 size={15} />} onClick={onRemove} />}
      </div>
      <ServerTools {...{ entry, disabled, onChange }} />
      {others.length > 0 && (
        <details>
          <summary className="cursor-pointer text-dense text-text-2 hover:text-text">{words.more}</summary>
          <div className="pt-3">
            <NestedFields fields={others} value={entry} disabled={disabled} onChange={onChange} />
          </div>
        </details>
      )}
    </section>
  );
}

/** What the server offers now. Values of variables are filled in only in runs, so such a server is not asked here. */
function useOffer(entry: ServerEntry) {
  const client = useClient();
  const { id } = useWorkspace();
  const mayAsk = useMay()('integrations_edit');
  const url = asText(entry['url']);
  const headers = Object.fromEntries(Object.entries(asBox(entry['headers'])).map(([key, text]) => [key, asText(text)]));
  const usesVariables = `${url} ${JSON.stringify(headers)}`.includes('{{');
  const isMasked = JSON.stringify(headers).includes('****');
  const enabled = mayAsk && /^https?:/.test(url) && !usesVariables && !isMasked;
  const asked = useQuery({
    queryKey: [id, 'mcp_servers', 'offer', url, headers],
    queryFn: () => client.mcpServers.try({ url, headers }),
    enabled,
    staleTime: 60_000,
    retry: false,
  });
  return { asked, enabled, why: mayAsk ? words.template : words.needsIntegrations };
}

function ServerTools({ entry, disabled, onChange }: Pick<ServerCardProps, 'entry' | 'disabled' | 'onChange'>) {
  const name = asText(entry['name']);
  const { asked, enabled, why } = useOffer(entry);
  const chosen = Array.isArray(entry['allowed_tools']) ? asList(entry['allowed_tools']).map(asText) : undefined;
  const choose = (next: readonly string[] | undefined) => {
    const { allowed_tools: _, ...rest } = entry;
    onChange(next === undefined ? rest : { ...rest, allowed_tools: next });
  };
  const offer = asked.data;
  const offered = offer?.success ? offer.tools : [];
  const names = offered.map((tool) => tool.name);
  const gone = (chosen ?? []).filter((tool) => !names.includes(tool));
  const rows = [...offered, ...gone.map((tool) => ({ name: tool, description: offer?.success ? words.gone : '' }))];
  return (
    <>
      {enabled && asked.isFetching && !offer && (
        <p className="flex items-center gap-2 text-dense text-text-2">
          <Spinner /> {words.asking}
        </p>
      )}
      {offer && !offer.success && (
        <Banner tone="warn" icon={<CircleAlert size={16} aria-hidden />} title={words.unreachable}>
          <p className="break-words first-letter:uppercase">{offer.message}</p>
          <p>{words.kept}</p>
          <Button
            size="small"
            className="mt-2"
            icon={<RotateCw size={14} aria-hidden />}
            busy={asked.isFetching}
            onClick={() => void asked.refetch()}
          >
            {words.again}
          </Button>
        </Banner>
      )}
      {!enabled && <p className="text-dense text-text-2">{why}</p>}
      {offer?.success && offered.length === 0 && <p className="text-dense text-text-2">{words.noTools}</p>}
      {rows.length > 0 && (
        <>
          <p className="flex flex-wrap items-center gap-2 text-dense text-text-2">
            {chosen ? words.some(chosen.length, Math.max(rows.length, names.length)) : words.all(names.length)}
            {chosen && !disabled && (
              <Button size="small" look="ghost" onClick={() => choose(undefined)}>
                {words.useAll}
              </Button>
            )}
          </p>
          <ul aria-label={words.tools(name)} className="divide-y divide-line rounded-3 border border-line">
            {rows.map((tool) => (
              <li key={tool.name} className="flex items-center gap-3 px-3.5 py-2">
                <div className="min-w-0 flex-1">
                  <p className="font-mono text-code font-medium break-all">{tool.name}</p>
                  {tool.description && (
                    <p dir="auto" className="line-clamp-2 text-dense break-words text-text-2">
                      {tool.description}
                    </p>
                  )}
                </div>
                <Switch
                  label={tool.name}
                  disabled={disabled}
                  checked={chosen ? chosen.includes(tool.name) : true}
                  onChange={(on) => choose(toggleTool(chosen, names, tool.name, on))}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
