import { useQueryClient } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTexts } from '../../text/agents.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { agentQuery } from '../queries.ts';
import { useDraft, useEditor } from './editor-context.ts';

const words = agentTexts.discard;

/** Ends the draft: publishing the version that is published already does just that. */
export function DiscardDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const { store, live } = useEditor();
  const { agent } = useDraft();
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const discard = async () => {
    store.dropPending();
    await store.flush();
    if (agent.draft) await client.agentVersions.publish(agent.id, agent.version_id, {});
    store.adopt(await queries.fetchQuery({ ...agentQuery(client, w, agent.id), staleTime: 0 }));
    sayToast({ text: words.done });
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.title}
      help={words.help(count, live)}
      action={words.submit}
      onConfirm={discard}
    />
  );
}
