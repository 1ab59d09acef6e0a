import { useQuery } from '@tanstack/react-query';
import { GitCompareArrows } from 'lucide-react';
import { useMemo } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { agentTexts } from '../../text/agents.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { listDifferences } from '../editor/changes.ts';
import { DifferenceList } from '../editor/difference-list.tsx';
import { useDraft, useEditor } from '../editor/editor-context.ts';
import type { Version } from './version-row.tsx';

const words = agentTexts.versions;

interface ComparisonProps {
  versions: readonly Version[];
  from: string | undefined;
  to: string | undefined;
  onCompare: (next: { from?: string; to?: string }) => void;
}

/** What differs between two versions; both are in the address. */
export function Comparison({ versions, from, to, onCompare }: ComparisonProps) {
  const { form, tools } = useEditor();
  const { agent } = useDraft();
  const client = useClient();
  const { id: w } = useWorkspace();
  const query = useQuery({
    queryKey: [w, 'agents', 'compared', agent.id, from, to],
    queryFn: () => client.agentVersions.compare(agent.id, { from: from as string, to: to as string }),
    enabled: Boolean(from && to),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const differences = useMemo(() => {
    const side = (name: 'before' | 'after') => ({
      definition: Object.fromEntries((query.data?.changes ?? []).map((change) => [change.key, change[name]])),
    });
    return listDifferences(form, tools, side('before'), side('after'));
  }, [query.data, form, tools]);
  if (!from || !to) return <EmptyState icon={<GitCompareArrows size={20} aria-hidden />} title={words.choose} />;
  const options = versions.map(({ id, number, name }) => {
    const short = agentTexts.head.version(number);
    return { value: id, label: name === short ? short : `${short} · ${name}` };
  });
  return (
    <div className="flex max-w-180 flex-col gap-4">
      <div className="flex flex-wrap gap-4">
        <Field label={words.from} className="w-56">
          <Select value={from} options={options} onChange={(next) => onCompare({ from: next, to })} />
        </Field>
        <Field label={words.to} className="w-56">
          <Select value={to} options={options} onChange={(next) => onCompare({ from, to: next })} />
        </Field>
      </div>
      {query.isPending && <Loading />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.data && (
        <>
          <h2 className="text-section">{differences.length ? words.differ(differences.length) : words.same}</h2>
          {differences.length > 0 && <DifferenceList differences={differences} />}
        </>
      )}
    </div>
  );
}
