import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayTime } from '../../lib/time.ts';
import { t } from '../../text/en.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-field.tsx';

const words = evaluationTexts.create;

interface ChatPickerProps {
  agentId: string;
  chosen: readonly string[];
  onChange: (ids: readonly string[]) => void;
}

/** Chats of an agent, to be picked. What was picked stays so while one looks for others. */
export function ChatPicker({ agentId, chosen, onChange }: ChatPickerProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const [find, setFind] = useState('');
  const search = useDeferredValue(find.trim());
  const query = useQuery({
    queryKey: [w, 'conversations', 'to-evaluate', agentId, search],
    queryFn: () =>
      client.conversations.list({ assistant_id: agentId, view: 'summary', size: 30, ...(search && { search }) }),
    placeholderData: keepPreviousData,
  });
  const toggle = (id: string, on: boolean) => onChange(on ? [...chosen, id] : chosen.filter((other) => other !== id));
  return (
    <Field label={words.chats} help={words.chatsHelp} note={chosen.length > 0 && words.chosen(chosen.length)} group>
      <TextInput
        type="search"
        aria-label={words.findChats}
        placeholder={words.findChats}
        value={find}
        onChange={({ target }) => setFind(target.value)}
      />
      {query.isPending && <Loading rows={3} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.data?.items.length === 0 && <p className="text-dense text-text-2">{words.noChats}</p>}
      <ul className="flex max-h-56 flex-col overflow-y-auto">
        {query.data?.items.map(({ id, name, last_updated_at }) => (
          <li key={id} className="flex items-center gap-2 py-1">
            <Checkbox
              checked={chosen.includes(id)}
              onChange={(on) => toggle(id, on)}
              label={name || t.chat.list.untitled}
            />
            <span className="num ml-auto text-caption whitespace-nowrap text-text-2">{sayTime(last_updated_at)}</span>
          </li>
        ))}
      </ul>
    </Field>
  );
}
