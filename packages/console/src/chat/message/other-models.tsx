import { useQuery } from '@tanstack/react-query';
import { Shuffle } from 'lucide-react';
import { useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import type { ChatMessage } from '../thread/message-types.ts';
import { useThreadPeople } from './message-context.ts';

const presetMark = 'preset:';
const builtIn = 'atrium/extractive';

/**
 * The models that the person may choose for one answer: those of the agent, and for people who edit agents all others.
 * Those that are not in the agent's settings are read once `asked`.
 */
function useChoices(own: readonly string[], asked: boolean) {
  const { id: w } = useWorkspace();
  const client = useClient();
  const mayChooseAll = useMay()('agents_edit');
  const models = useQuery({
    queryKey: [w, 'models'],
    queryFn: () => client.models.list(),
    enabled: asked && mayChooseAll,
    staleTime: 60_000,
  });
  const presets = useQuery({
    queryKey: [w, 'presets'],
    queryFn: () => client.presets.list(),
    enabled: asked && own.some((name) => name.startsWith(presetMark)),
    staleTime: 60_000,
  });
  const others = (models.data ?? []).map(({ name }) => name).filter((name) => !own.includes(name));
  return { mayChooseAll, others, loading: models.isLoading, presets: presets.data ?? [] };
}

interface OtherModelsProps {
  message: ChatMessage;
  /** Whether it stands among the ways on below a failed answer, or among the icons below an answer. */
  look: 'button' | 'icon';
}

/** Asks another model for this one answer. It is left out where the person has no choice. */
export function OtherModels({ message, look }: OtherModelsProps) {
  const { thread, models: own = [] } = useThreadPeople();
  const [asked, setAsked] = useState(false);
  const { mayChooseAll, others, loading, presets } = useChoices(own, asked);
  const { model, attempts } = message.metadata ?? {};
  const answeredBy = model ?? attempts?.at(-1)?.model;
  const isOther = (name: string) => name !== answeredBy;
  const ofAgent = own.length > 1 || mayChooseAll ? own.filter(isOther) : [];
  if (ofAgent.length === 0 && !mayChooseAll) return null;

  const labelOf = (name: string) =>
    name === builtIn
      ? t.chat.models.builtIn
      : (presets.find((preset) => `${presetMark}${preset.name}` === name)?.label ?? name);
  const entryOf = (name: string) => ({
    id: name,
    label: labelOf(name),
    onSelect: () => void thread.regenerate(message.id, [name]).catch((error) => sayFailure(error)),
  });
  const groups = [ofAgent.map(entryOf), others.filter(isOther).map(entryOf)];
  const ask = { onPointerEnter: () => setAsked(true), onFocus: () => setAsked(true) };
  const note = loading ? t.chat.models.loading : groups.flat().length === 0 ? t.chat.models.none : undefined;
  return (
    <Menu
      align="start"
      className="max-h-[50dvh] max-w-[calc(100vw-16px)]"
      header={note && <p className="px-2 py-1.5 text-dense text-text-2">{note}</p>}
      groups={groups}
      trigger={
        look === 'button' ? (
          <Button size="small" icon={<Shuffle size={13} aria-hidden />} {...ask}>
            {t.chat.models.action}
          </Button>
        ) : (
          <IconButton label={t.chat.models.action} icon={<Shuffle size={15} />} {...ask} />
        )
      }
    />
  );
}
