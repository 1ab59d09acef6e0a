import type { AnswerOf, BodyOf } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTexts } from '../../text/agents.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { useAgentActions } from './use-agent-actions.ts';

const words = agentTexts.importIt;
type AgentFile = BodyOf<'agents.import'>;

async function readAgentFile(file: File): Promise<AgentFile | undefined> {
  try {
    const content = JSON.parse(await file.text());
    return content?.format === 'atrium.agent' ? content : undefined;
  } catch {
    return undefined;
  }
}

/** Takes the file of an agent, and says what of it found no match here. */
export function ImportAgent({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const actions = useAgentActions();
  const [file, setFile] = useState<AgentFile>();
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState<AnswerOf<'agents.import'>>();
  const choose = async (chosen: File | undefined) => {
    const content = chosen && (await readAgentFile(chosen));
    setFile(content);
    setFault(chosen && !content ? words.notAnAgent : undefined);
  };
  const submit = async () => {
    if (!file) return;
    setBusy(true);
    try {
      const answer = await client.agents.import(file);
      await queries.invalidateQueries({ queryKey: [w, 'agents', 'list'] });
      setDone(answer);
    } catch (error) {
      sayFailure(error);
    } finally {
      setBusy(false);
    }
  };
  const missing = done?.report.missing.map(({ name, id, kind }) => `${kind.replaceAll('_', ' ')}: ${name ?? id}`) ?? [];
  const secrets = done?.report.secrets.map(({ path }) => path.join('.')) ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title={done ? words.done(done.agent.name) : words.title}
      {...(!done && { help: words.help })}
      foot={
        done ? (
          <Button look="primary" onClick={() => void actions.open(done.agent.id)}>
            {words.open}
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>{t.ui.cancel}</Button>
            <Button look="primary" busy={busy} disabled={!file} onClick={() => void submit()}>
              {words.submit}
            </Button>
          </>
        )
      }
    >
      {!done && (
        <Field label={words.file} error={fault}>
          <TextInput
            type="file"
            accept="application/json,.json"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        </Field>
      )}
      <Left title={words.missing} entries={missing} />
      <Left title={words.secrets} entries={secrets} />
    </Dialog>
  );
}

function Left({ title, entries }: { title: string; entries: readonly string[] }) {
  if (entries.length === 0) return null;
  return (
    <div className="mb-3 text-dense">
      <p className="font-medium">{title}</p>
      <ul className="list-disc pl-5 text-text-2">
        {entries.map((entry) => (
          <li key={entry}>{entry}</li>
        ))}
      </ul>
    </div>
  );
}
