import { AtriumError } from '@atrium/sdk';
import { useState } from 'react';
import { useClient } from '../../api/session.ts';
import { useSubmit } from '../../lib/use-submit.ts';
import { agentTabTexts } from '../../text/agent-tabs.ts';
import { t } from '../../text/en.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FailureNote } from '../../ui/failure-note.tsx';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useDraft } from '../editor/editor-context.ts';
import { type Memory, useRefreshMemories } from './memories.ts';

const words = agentTabTexts.memory;

/** Replaces the words of an entry. Where somebody was faster, both texts are shown and nothing is overwritten unseen. */
export function CorrectMemory({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const client = useClient();
  const { agent } = useDraft();
  const refresh = useRefreshMemories(agent.id);
  const [text, setText] = useState(memory.text);
  const [theirs, setTheirs] = useState<Memory>();
  const save = async () => {
    try {
      const { etag } = theirs ?? memory;
      await client.agentMemories.update(agent.id, memory.id, { text }, { ifMatch: etag });
    } catch (error) {
      if (!(error instanceof AtriumError && error.code === 'etag_mismatch')) throw error;
      setTheirs(await client.agentMemories.get(agent.id, memory.id));
      return;
    }
    sayToast({ text: words.saved });
    await refresh();
    onClose();
  };
  const check = () => ({ text: text.trim() ? undefined : words.missing });
  const { busy, failure, faultOf, submit, form } = useSubmit(save, { check });
  const takeTheirs = async () => {
    await refresh();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.correctTitle}
      help={words.correctHelp}
      foot={
        <>
          <Button onClick={theirs ? () => void takeTheirs() : onClose}>
            {theirs ? words.takeTheirs : t.ui.cancel}
          </Button>
          <Button look="primary" busy={busy} onClick={() => void submit()}>
            {theirs ? words.keepMine : t.ui.save}
          </Button>
        </>
      }
    >
      <form ref={form} onSubmit={submit} className="flex flex-col gap-4">
        {theirs && (
          <Banner tone="warn" title={words.conflict}>
            <p className="mt-1 font-medium">{words.theirs}</p>
            <p dir="auto" className="break-words whitespace-pre-wrap">
              {theirs.text}
            </p>
          </Banner>
        )}
        <Field label={words.text} error={faultOf('text')}>
          <TextArea
            data-autofocus
            dir="auto"
            maxLength={2000}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        <FailureNote failure={failure} />
      </form>
    </Dialog>
  );
}
