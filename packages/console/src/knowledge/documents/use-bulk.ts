import { useClient } from '../../api/session.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { useBase } from '../base/base-context.ts';
import { useRefreshBase } from '../base/use-base-actions.ts';

const words = documentTexts.bulk;

/** The same with many documents. What could not be done is said with its reason. */
export function useBulk() {
  const client = useClient();
  const { id: kbId } = useBase();
  const refresh = useRefreshBase();
  async function change(action: 'delete' | 'move' | 'train', ids: readonly string[], prefix?: string): Promise<void> {
    const answer = await client.documents.bulk(kbId, {
      ...{ action, document_ids: [...ids] },
      ...(prefix !== undefined && { prefix }),
    });
    await refresh();
    // Lists are drawn anew in a task after their queries: what follows sees the rows that are left.
    await new Promise((drawn) => setTimeout(drawn));
    if (answer.done > 0) sayToast({ text: words.done[action](answer.done) });
    const reason = answer.items.find(({ done }) => !done)?.message ?? undefined;
    if (answer.failed > 0) sayToast({ text: words.failed(answer.failed), help: reason, bad: true });
  }
  return {
    change,
    train: (ids: readonly string[]) => change('train', ids).catch((error: unknown) => sayFailure(error)),
  };
}
