import { Plus } from 'lucide-react';
import { useState } from 'react';
import { asBox, asList, asText } from '../../forms/controls/control-props.ts';
import type { FormField } from '../../forms/form-types.ts';
import { agentServerTexts } from '../../text/agent-actions.ts';
import { Button } from '../../ui/button.tsx';
import { useEditor } from '../editor/editor-context.ts';
import { AddServer } from './add-server.tsx';
import { ServerCard } from './server-card.tsx';

interface ServersControlProps {
  field: FormField;
  value: unknown;
  disabled: boolean;
}

/** The MCP servers of an agent, picked from those of the workspace. */
export function ServersControl({ field, value, disabled }: ServersControlProps) {
  const { store } = useEditor();
  const [adding, setAdding] = useState(false);
  const entries = asList(value).map(asBox);
  const change = (next: readonly Readonly<Record<string, unknown>>[]) => store.change(field, next);
  return (
    <div className="flex flex-col gap-2.5">
      {entries.map((entry, index) => (
        <ServerCard
          key={asText(entry['url'])}
          entry={entry}
          fields={field.fields ?? []}
          disabled={disabled}
          onChange={(next) => change(entries.map((old, other) => (other === index ? next : old)))}
          onRemove={() => change(entries.filter((_, other) => other !== index))}
        />
      ))}
      {entries.length === 0 && <p className="text-dense text-text-3">{agentServerTexts.none}</p>}
      {!disabled && (
        <Button size="small" className="self-start" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
          {agentServerTexts.add}
        </Button>
      )}
      {adding && (
        <AddServer
          urls={entries.map(({ url }) => asText(url))}
          names={entries.map(({ name }) => asText(name))}
          onAdd={(entry) => change([...entries, entry])}
          onClose={() => setAdding(false)}
        />
      )}
    </div>
  );
}
