import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { connectionTexts } from '../../text/connections.ts';
import { t } from '../../text/en.ts';
import { resourceTexts } from '../../text/resources.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useRefresh } from '../common/queries.ts';
import { SecretInput } from '../common/secret-input.tsx';
import { useAction } from '../common/use-action.ts';
import { type McpServer, shortAddress, type Trial } from './servers.ts';
import { bodyOfSignIn, noSignIn, type SignIn, SignInFields } from './sign-in-fields.tsx';
import { TrialResult } from './trial-result.tsx';

const words = connectionTexts.servers;

interface ServerDialogProps {
  server: McpServer | undefined;
  onClose: () => void;
  onSaved: (saved: McpServer) => void;
}

/** A new server, which is tried by its address first; or the sign-in of one that is there. */
export function ServerDialog({ server, onClose, onSaved }: ServerDialogProps) {
  const client = useClient();
  const refresh = useRefresh('mcp_servers');
  const [url, setUrl] = useState('');
  const [header, setHeader] = useState('');
  const [trial, setTrial] = useState<Trial>();
  const [signIn, setSignIn] = useState<SignIn>({
    ...noSignIn,
    ...(server && {
      grant: server.grant_type ?? 'none',
      token_url: server.token_url ?? '',
      client_id: server.client_id ?? '',
      scope: server.scope ?? '',
    }),
  });
  const trying = useAction();
  const tryIt = () =>
    trying.run(async () => {
      const headers = header ? { Authorization: header } : {};
      setTrial(await client.mcpServers.try({ url: url.trim(), headers }));
    });
  const save = async () => {
    const login = bodyOfSignIn(signIn);
    const saved = server
      ? await client.mcpServers.update(server.id, login, { ifMatch: server.etag })
      : await client.mcpServers.create({ url: url.trim(), ...login });
    sayToast({ text: resourceTexts.saved(shortAddress(saved.url)) });
    await refresh();
    onSaved(saved);
  };
  const { busy, failure, faultOf, submit, form } = useSubmit(save);
  const stored = server ? (['client_secret', 'refresh_token'] as const).filter((name) => server[name] !== null) : [];
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={server ? words.editTitle : words.addTitle}
      help={server ? shortAddress(server.url) : words.addHelp}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} disabled={!server && !url.trim()} onClick={() => void submit()}>
            {server ? t.ui.save : words.create}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        {!server && (
          <>
            <Field label={words.address} help={words.addressHelp} error={faultOf('url')}>
              <TextInput
                data-autofocus
                type="url"
                required
                value={url}
                placeholder="https://wiki.example.com/mcp"
                onChange={({ target }) => {
                  setUrl(target.value);
                  setTrial(undefined);
                }}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter') return;
                  event.preventDefault();
                  if (url.trim()) void tryIt();
                }}
              />
            </Field>
            <Field label={words.header} help={words.headerHelp} error={faultOf('headers')}>
              <SecretInput placeholder={words.headerExample} onChange={setHeader} />
            </Field>
            <Button className="self-start" busy={trying.busy} disabled={!url.trim()} onClick={() => void tryIt()}>
              {words.try}
            </Button>
            {trial && <TrialResult trial={trial} />}
          </>
        )}
        <SignInFields value={signIn} onChange={setSignIn} faultOf={faultOf} stored={stored} />
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
