import { Ellipsis, ExternalLink, LogIn, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { sayMoment } from '../../lib/time.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { CopiedLine } from '../../triggers/made-secrets.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../common/queries.ts';
import { Details, Fact, Facts } from '../common/two-panes.tsx';
import { useAction } from '../common/use-action.ts';
import { Uses } from '../common/uses.tsx';
import { ServerTools } from './server-tools.tsx';
import { type McpServer, shortAddress, signInOf, type Trial } from './servers.ts';
import { TrialResult } from './trial-result.tsx';

const words = connectionTexts.servers;

interface ServerDetailsProps {
  server: McpServer;
  onEdit: () => void;
  onBack: () => void;
  onDeleted: () => void;
}

/** One MCP server: its sign-in, its tools, and what uses it. */
export function ServerDetails({ server, onEdit, onBack, onDeleted }: ServerDetailsProps) {
  const { id, url, grant_type, token_expires_at, last_error, issuer, scope } = server;
  const client = useClient();
  const refresh = useRefresh('mcp_servers');
  const trying = useAction();
  const signing = useAction();
  const [trial, setTrial] = useState<Trial>();
  const [page, setPage] = useState<{ address: string; redirect: string }>();
  const [asking, setAsking] = useState(false);
  const state = signInOf(server);
  const startSignIn = () =>
    signing.run(async () => {
      const { authorization_url, redirect_uri } = await client.mcpServers.startLogin(id, {});
      setPage({ address: authorization_url, redirect: redirect_uri });
    });
  const usesKey = ['mcp_servers', id];
  const loadUses = () => client.mcpServers.listUses(id);
  return (
    <Details
      name={shortAddress(url)}
      onBack={onBack}
      chips={
        <Chip tone={state.tone} dot>
          {state.label}
        </Chip>
      }
      actions={
        <>
          <Button
            busy={trying.busy}
            onClick={() => void trying.run(async () => setTrial(await client.mcpServers.try({ url })))}
          >
            {words.tryAgain}
          </Button>
          {grant_type === 'authorization_code' && (
            <Button icon={<LogIn size={14} aria-hidden />} busy={signing.busy} onClick={() => void startSignIn()}>
              {issuer ? words.signInAgain : words.startSignIn}
            </Button>
          )}
          <Menu
            trigger={<IconButton label={resourceTexts.more(shortAddress(url))} icon={<Ellipsis size={16} />} />}
            groups={[
              [{ label: words.edit, icon: <Pencil size={14} />, onSelect: onEdit }],
              [{ label: t.ui.delete, icon: <Trash2 size={14} />, danger: true, onSelect: () => setAsking(true) }],
            ]}
          />
        </>
      }
    >
      {page && (
        <Banner tone="info" icon={<LogIn size={16} aria-hidden />} title={words.signInReady}>
          <p>{words.rights}</p>
          <a
            href={page.address}
            target="_blank"
            rel="noreferrer"
            className="mt-1 inline-flex items-center gap-1.5 font-medium"
          >
            {words.openSignIn}
            <ExternalLink size={13} aria-hidden />
          </a>
          <div className="mt-2">
            <CopiedLine label={words.redirect} value={page.redirect} />
          </div>
        </Banner>
      )}
      {last_error && (
        <Banner tone="bad" title={words.states.failed}>
          <span className="break-words">{last_error}</span>
        </Banner>
      )}
      <Facts>
        <Fact name={words.address}>
          <span className="font-mono text-code break-all">{url}</span>
        </Fact>
        <Fact name={words.signIn}>
          {words.grants[grant_type ?? 'none']}
          {issuer && <span className="block text-dense text-text-2">{issuer}</span>}
          {token_expires_at && (
            <span className="num block text-dense text-text-2">{words.until(sayMoment(token_expires_at))}</span>
          )}
        </Fact>
        {scope && <Fact name={words.scope}>{scope}</Fact>}
      </Facts>
      {trial && <TrialResult trial={trial} />}
      <ServerTools server={server} />
      <Uses queryKey={usesKey} load={loadUses} />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.deleteTitle}
        help={words.deleteHelp}
        action={words.deleteSubmit}
        onConfirm={async () => {
          await client.mcpServers.delete(id);
          sayToast({ text: resourceTexts.deleted(shortAddress(url)) });
          onBack();
          await refresh();
          onDeleted();
        }}
      >
        <Uses queryKey={usesKey} load={loadUses} />
      </Confirm>
    </Details>
  );
}
