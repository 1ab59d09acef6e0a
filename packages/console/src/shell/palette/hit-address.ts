import type { SearchTarget, SearchType } from '@atrium/contract/search/schema.ts';

const query = (values: Record<string, string | number | null | undefined>) => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`;
};

/** The address of what a search found, with the place in it. `agentId`: the agent whose page is open. */
export function addressOfHit(type: SearchType, target: SearchTarget, w: string, agentId?: string): string {
  const base = `/w/${encodeURIComponent(w)}`;
  const of = (part: string, id: string | undefined) => `${base}/${part}/${encodeURIComponent(id ?? '')}`;
  const documents = () => `${of('knowledge', target.knowledge_base_id)}/documents`;
  switch (type) {
    case 'agents':
      return `${of('agents', target.agent_id)}/build`;
    case 'conversations':
      return of('chat', target.conversation_id);
    case 'messages':
      return of('chat', target.conversation_id) + query({ message: target.message_id });
    case 'knowledge_bases':
      return documents();
    case 'documents':
      return documents() + query({ doc: target.document_id });
    case 'passages':
      return documents() + query({ doc: target.document_id, passage: target.passage_id });
    case 'tables':
      return of('tables', target.table_id);
    case 'columns':
      return of('tables', target.table_id) + query({ column: target.column });
    case 'workflows':
      return of('workflows', target.workflow_id);
    case 'steps':
      return of('workflows', target.workflow_id) + query({ node: target.step_id });
    case 'variables':
      return `${base}/resources/variables${query({ variable: target.variable_id })}`;
    case 'settings':
      return agentId && target.form === 'agents'
        ? `${of('agents', agentId)}/build${query({ setting: target.setting })}`
        : `${base}/agents${query({ setting: target.setting })}`;
    case 'help':
      return `/docs#${encodeURIComponent(target.operation_id ?? '')}`;
  }
}
