import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../api/session.ts';
import { welcomeTexts } from '../text/welcome.ts';

const words = welcomeTexts.checklist;

export interface Item {
  key: ('model' | 'documents' | 'agent' | 'chat' | 'trace') | ('table' | 'workflow' | 'approval' | 'budget' | 'invite');
  done: boolean;
  help?: string;
  to?: string;
  search?: Record<string, string>;
}

/** The first ten minutes: each step is done when the server has what it makes. Undefined until all of it is known. */
export function useChecklist(): Item[] | undefined {
  const client = useClient();
  const { id } = useWorkspace();
  const { data } = useQuery({
    queryKey: [id, 'agents', 'checklist'],
    queryFn: async () => {
      const few = { size: 1, view: 'summary' } as const;
      const hasAny = async (answer: Promise<{ total: number }>) => (await answer).total > 0;
      const [models, documents, agent, chat, runs, table, workflow, approval, budget, members, invitations] =
        await Promise.all([
          client.models.list(),
          hasAny(client.knowledgeBases.list(few)),
          hasAny(client.agents.list(few)),
          hasAny(client.conversations.list(few)),
          client.runs.list(few),
          hasAny(client.tables.list({ ...few, source: 'custom' })),
          hasAny(client.workflows.list(few)),
          hasAny(client.approvals.list({ ...few, status: 'all' })),
          hasAny(client.budgets.list(few)),
          client.members.list(id),
          client.invitations.list(id),
        ]);
      return {
        ...{ model: models.some(({ kind }) => kind === 'llm'), documents, agent, chat, table, workflow, approval },
        ...{ budget, invite: members.length > 1 || invitations.length > 0, run: runs.items[0]?.id },
      };
    },
    staleTime: 60_000,
  });
  const at = (page: string) => `/w/${id}/${page}`;
  return (
    data && [
      { key: 'model', done: data.model, help: words.modelLeft, to: '/welcome', search: { step: 'model' } },
      { key: 'documents', done: data.documents, to: at('knowledge') },
      { key: 'agent', done: data.agent, to: '/welcome', search: { step: 'agent' } },
      { key: 'chat', done: data.chat },
      { key: 'trace', done: data.run !== undefined, to: at(data.run ? `runs/${data.run}` : 'runs') },
      { key: 'table', done: data.table, to: at('tables') },
      { key: 'workflow', done: data.workflow, to: at('workflows') },
      { key: 'approval', done: data.approval, to: at('inbox') },
      { key: 'budget', done: data.budget, to: at('admin/usage') },
      { key: 'invite', done: data.invite, to: '/welcome', search: { step: 'try' } },
    ]
  );
}
