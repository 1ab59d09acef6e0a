import { useQueryClient } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTexts } from '../../text/agents.ts';
import { t } from '../../text/en.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { sayToast } from '../../ui/toast.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import type { Version } from './version-row.tsx';

const words = agentTexts.versions;

/** Publishes an older version again; a draft goes with it, and the question says so. */
export function GoBack({ version, onClose }: { version: Version; onClose: () => void }) {
  const { store } = useEditor();
  const { agent } = useDraft();
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const name = agentTexts.head.version(version.number);
  const publish = async () => {
    store.dropPending();
    await client.agentVersions.publish(agent.id, version.id, {});
    await queries.invalidateQueries({ queryKey: [w, 'agents'] });
    sayToast({ text: words.goBackDone(name) });
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={words.goBackTitle(name)}
      help={`${words.goBackHelp(name)}${agent.draft ? ` ${words.goBackDraft}` : ''}`}
      action={words.goBack(name)}
      keep={t.ui.cancel}
      look="primary"
      onConfirm={publish}
    />
  );
}
