import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { agentServerTexts } from '../../text/agent-actions.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { nameOfServer } from './server-names.ts';

const words = agentServerTexts;

interface AddServerProps {
  /** The addresses and names that the agent has already. */
  urls: readonly string[];
  names: readonly string[];
  onAdd: (entry: { name: string; url: string }) => void;
  onClose: () => void;
}

/** Picks an MCP server of the workspace and names it. */
export function AddServer({ urls, names, onAdd, onClose }: AddServerProps) {
  const client = useClient();
  const { id } = useWorkspace();
  const mayList = useMay()('integrations_edit');
  const { data } = useQuery({
    queryKey: [id, 'mcp_servers', 'choice'],
    queryFn: () => client.mcpServers.list({ size: 100 }),
    enabled: mayList,
  });
  const left = (data?.items ?? []).filter(({ url }) => !urls.includes(url));
  const [picked, setPicked] = useState('');
  const url = picked || left[0]?.url || '';
  const [typed, setTyped] = useState<string>();
  const name = typed ?? (url ? nameOfServer(url, names) : '');
  const isTaken = names.includes(name.trim());
  const add = () => {
    onAdd({ name: name.trim(), url });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.addTitle}
      help={words.addHelp}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" disabled={!url || !name.trim() || isTaken} onClick={add}>
            {words.take}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {!mayList && <p>{words.mayNot}</p>}
        {data && left.length === 0 && <p>{data.total === 0 ? words.noneYet : words.noneLeft}</p>}
        {left.length > 0 && (
          <>
            <Field label={words.find}>
              <Select
                data-autofocus
                value={url}
                options={left.map((server) => ({ value: server.url, label: server.url.replace(/^https?:\/\//, '') }))}
                onChange={(next) => {
                  setPicked(next);
                  setTyped(undefined);
                }}
              />
            </Field>
            <Field label={words.name} help={words.nameHelp} error={isTaken ? words.nameTaken : undefined}>
              <TextInput
                value={name}
                maxLength={100}
                autoComplete="off"
                onChange={({ target }) => setTyped(target.value)}
              />
            </Field>
          </>
        )}
        {mayList && (
          <Link
            to="/w/$w/resources/$tab"
            params={{ w: id, tab: 'connections' }}
            className="self-start text-dense text-accent hover:underline"
          >
            {words.connections}
          </Link>
        )}
      </div>
    </Dialog>
  );
}
