import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { formQuery } from '../../forms/form-query.ts';
import type { Form } from '../../forms/form-types.ts';
import { keepDraft, readDraft } from '../../lib/local-drafts.ts';
import { agentTexts } from '../../text/agents.ts';
import { Page } from '../../ui/page.tsx';
import { RecordFailure } from '../../ui/record-failure.tsx';
import { Loading } from '../../ui/states.tsx';
import { agentQuery, versionsQuery } from '../queries.ts';
import { AgentHead } from './agent-head.tsx';
import type { Agent } from './draft-state.ts';
import { makeDraftStore } from './draft-store.ts';
import { EditorContext } from './editor-context.ts';

/** Everything around the tabs of one agent. */
export function AgentFrame() {
  const { id } = useParams({ from: '/signed-in/w/$w/agents/$id' });
  const { id: w } = useWorkspace();
  const agent = useQuery(agentQuery(useClient(), w, id));
  const form = useQuery(formQuery('agents'));
  const tools = useQuery(formQuery('base-tools'));
  // The head names versions: without them it would change its width when they come.
  const versions = useInfiniteQuery(versionsQuery(useClient(), w, id));
  const failed = [agent, form, tools].find(({ isError, data }) => isError && !data);
  const retry = () => void Promise.all([agent.refetch(), form.refetch(), tools.refetch()]);
  if (agent.data && form.data && tools.data && !versions.isPending)
    return <LoadedAgent key={`${w}-${id}`} agent={agent.data} form={form.data} tools={tools.data} />;
  const list = { label: agentTexts.title, to: `/w/${w}/agents` };
  return (
    <Page title={agentTexts.title} crumb={list}>
      {failed ? (
        <RecordFailure error={failed.error} onRetry={retry} list={list} />
      ) : (
        <Loading rows={8} onRetry={retry} />
      )}
    </Page>
  );
}

function LoadedAgent({ agent, form, tools }: { agent: Agent; form: Form; tools: Form }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const mayEdit = useMay()('agents_edit');
  const { data: versions } = useInfiniteQuery(versionsQuery(client, w, agent.id));
  const [store] = useState(() => {
    const keepAt = `agent.${w}.${agent.id}`;
    return makeDraftStore(agent, {
      // The tools of `base_tools` are fields of their own.
      fields: [...form.fields.filter(({ key }) => key !== 'base_tools'), ...tools.fields],
      async save(body, ifMatch) {
        const { warnings: _, ...saved } = await client.agents.update(agent.id, body, {
          ifMatch,
          query: { preview: true },
        });
        queries.setQueryData(agentQuery(client, w, agent.id).queryKey, saved);
        return saved;
      },
      load: () => client.agents.get(agent.id),
      keep: (text) => keepDraft(keepAt, text),
      kept: () => readDraft(keepAt),
    });
  });
  useEffect(() => store.adopt(agent), [store, agent]);
  useEffect(() => {
    const send = () => void store.flush();
    window.addEventListener('online', send);
    return () => {
      window.removeEventListener('online', send);
      send();
    };
  }, [store]);
  const editor = useMemo(() => {
    const all = versions?.pages.flat() ?? [];
    const live = all.find(({ id }) => id === agent.version_id)?.number;
    const newest = all[0]?.number;
    const name = (number: number | undefined) => (number === undefined ? '' : agentTexts.head.version(number));
    return { store, form, tools, live: name(live), next: name(newest && newest + 1), mayEdit };
  }, [versions, agent.version_id, store, form, tools, mayEdit]);
  return (
    <EditorContext value={editor}>
      <AgentHead>
        <Outlet />
      </AgentHead>
    </EditorContext>
  );
}
