import { AtriumError } from '@atrium/sdk';
import { useState } from 'react';
import { queryClient } from '../api/query-client.ts';
import { useClient, useWorkspace } from '../api/session.ts';
import { t } from '../text/en.ts';
import { sayFailure, sayToast } from '../ui/toast.tsx';
import { answerQuestion, type Decision, decide, type Request, takeBack } from './requests.ts';

/** Sends answers and loads again what they change. A second answer learns that somebody was first. */
export function useAnswer(request: Request, onAnswered?: () => void) {
  const client = useClient();
  const { id } = useWorkspace();
  const [busy, setBusy] = useState(false);

  const refresh = () =>
    Promise.all(
      ['approvals', 'conversations', 'runs', 'agents'].map((kind) =>
        queryClient.invalidateQueries({ queryKey: [id, kind] }),
      ),
    );

  async function send(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    try {
      await work();
      onAnswered?.();
    } catch (error) {
      const isLate = error instanceof AtriumError && error.status === 409;
      if (isLate) sayToast({ text: await sayWhoWasFirst(), help: t.inbox.alreadyHelp, bad: true });
      else sayFailure(error);
    } finally {
      await refresh();
      setBusy(false);
    }
  }

  /** The newest state of the request, for the name of who answered. */
  async function sayWhoWasFirst(): Promise<string> {
    const { items } = await client.approvals.list({ status: 'all', size: 100 });
    const now = items.find((item) => item.id === request.id);
    return now?.status === 'expired'
      ? t.inbox.expiredNow
      : t.inbox.already(now?.decided_by_actor?.name ?? t.inbox.somebody);
  }

  return {
    busy,
    decide: (decision: Decision) => send(() => decide(client, request, decision)),
    takeBack: () => send(() => takeBack(client, request)),
    answer: (words: string) => send(() => answerQuestion(client, request, words)),
  };
}
