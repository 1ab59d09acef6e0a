import { useQueryClient } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';

/** Loads a knowledge base and its documents again, after something of it was changed. */
export function useRefreshBase() {
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  return () =>
    Promise.all(
      ['knowledge_bases', 'documents', 'passages', 'kb_sites', 'ingestion_runs'].map((kind) =>
        queries.invalidateQueries({ queryKey: [w, kind] }),
      ),
    );
}

/** What can be done with a knowledge base as a whole. Each says what failed; nothing else changes then. */
export function useBaseActions(id: string) {
  const client = useClient();
  const refresh = useRefreshBase();
  const attempt = async (action: () => Promise<string>) => {
    try {
      sayToast({ text: await action() });
    } catch (error) {
      sayFailure(error);
    }
    await refresh();
  };
  return {
    reindex: () =>
      attempt(async () => {
        await client.knowledgeBases.reindex(id);
        return baseTexts.reindexing;
      }),
    retryFailed: () =>
      attempt(async () => {
        const runs = await client.documents.retryFailed(id);
        return baseTexts.retried(runs.length);
      }),
  };
}
