import { AtriumError } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTexts } from '../../text/agents.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import type { Agent } from '../editor/draft-state.ts';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import { agentQuery } from '../queries.ts';
import { sayLock } from './locks.ts';

const words = agentTexts.locks;

/** Says that a change was refused, since its settings were locked by somebody while they were edited here. */
export function LockRefused() {
  const { store } = useEditor();
  const { status, failure, agent } = useDraft();
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  if (status !== 'locked' || !(failure instanceof AtriumError)) return null;
  const [lock] = (failure.body['locks'] ?? []) as Agent['locks'];
  const takeBack = async () => {
    store.dropPending();
    store.adopt(await queries.fetchQuery({ ...agentQuery(client, w, agent.id), staleTime: 0 }));
  };
  const name = lock?.locked_by_actor?.name;
  return (
    <div className="sticky top-0 z-20 pt-3">
      <Banner
        tone="bad"
        icon={<Lock size={16} aria-hidden />}
        title={words.refused(lock ? sayLock(lock.lock) : words.locked)}
        action={
          <Button size="small" onClick={() => void takeBack()}>
            {words.takeBack}
          </Button>
        }
      >
        {name && words.lockedBy(name)} {lock?.reason && <q>{lock.reason}</q>}
      </Banner>
    </div>
  );
}
