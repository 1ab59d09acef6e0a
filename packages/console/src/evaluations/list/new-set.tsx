import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useFoundReferences } from '../../forms/use-references.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { t } from '../../text/en.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-field.tsx';
import { useRefreshEvaluations } from '../evaluations.ts';
import { ChatPicker } from './chat-picker.tsx';

const words = evaluationTexts.create;

interface NewSetProps {
  agentId: string | undefined;
  /** The agent can't be chosen. */
  fixed: boolean;
  onClose: () => void;
}

/** Makes a set: its name, its agent, and the chats that its first cases are made of. */
export function NewSet({ agentId, fixed, onClose }: NewSetProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const navigate = useNavigate();
  const refresh = useRefreshEvaluations();
  const agents = useFoundReferences('agent', '', !fixed);
  const [name, setName] = useState('');
  const [agent, setAgent] = useState(agentId ?? '');
  const [chats, setChats] = useState<readonly string[]>([]);
  const { busy, failure, faultOf, submit, form } = useSubmit(
    async () => {
      const made = await client.evaluations.create({
        ...{ name: name.trim(), agent_id: agent },
        ...(chats.length > 0 && { conversation_ids: [...chats] }),
      });
      onClose();
      await refresh();
      await navigate({ to: '/w/$w/evaluations/$id', params: { w, id: made.id }, search: { view: 'cases' } });
    },
    { check: () => ({ name: !name.trim() && words.nameFault, agent_id: !agent && words.agentFault }) },
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.title}
      help={words.help}
      foot={
        <>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Button look="primary" busy={busy} onClick={() => void submit()}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FailureNote failure={failure} />
        <Field label={words.name} error={faultOf('name')}>
          <TextInput data-autofocus value={name} maxLength={200} onChange={({ target }) => setName(target.value)} />
        </Field>
        {!fixed && (
          <Field label={words.agent} error={faultOf('agent_id')}>
            <Select
              value={agent}
              empty={words.chooseAgent}
              options={agents.map((found) => ({ value: found.id, label: found.name }))}
              onChange={(next) => {
                setAgent(next);
                setChats([]);
              }}
            />
          </Field>
        )}
        {agent && <ChatPicker agentId={agent} chosen={chats} onChange={setChats} />}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}
