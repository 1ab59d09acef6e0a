import { useEffect, useRef, useState } from 'react';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { type ChatMessage, textOf } from '../thread/message-types.ts';
import { leaveEditing, useEditing } from './editing.ts';
import { useThreadPeople } from './message-context.ts';

/** A message as a field. Sending it begins a new branch. */
export function EditMessage({ message }: { message: ChatMessage }) {
  const { thread } = useThreadPeople();
  const [text, setText] = useState(() => textOf(message));
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const field = form.current?.querySelector('textarea');
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);
  const send = () => {
    if (!text.trim()) return;
    useEditing.setState({ key: undefined });
    void thread.edit(message.id, text.trim()).catch((error) => sayFailure(error));
  };
  return (
    <form
      ref={form}
      className="ml-auto flex w-full max-w-150 flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        aria-label={t.chat.message.editLabel}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') leaveEditing();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <span className="flex-1 text-caption text-text-3">{t.chat.message.editHelp}</span>
        <Button size="small" onClick={leaveEditing}>
          {t.chat.message.editCancel}
        </Button>
        <Button size="small" look="primary" type="submit" disabled={!text.trim()}>
          {t.chat.message.editSend}
        </Button>
      </div>
    </form>
  );
}
