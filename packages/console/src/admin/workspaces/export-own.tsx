import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { jobTexts, workspaceTexts as words } from '../../text/admin/workspaces.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { sayFailure } from '../../ui/toast.tsx';
import { Card } from '../shared/section-page.tsx';

/** For administrators of this workspace alone: an archive of it, which only they can download. */
export function ExportOwn() {
  const client = useClient();
  const { id, name } = useWorkspace();
  const [jobId, setJobId] = useState<string>();
  const { data: job } = useQuery({
    queryKey: [id, 'data-jobs', jobId],
    queryFn: () => client.dataJobs.get(jobId ?? ''),
    enabled: jobId !== undefined,
    refetchInterval: ({ state }) => (state.data && ['done', 'failed'].includes(state.data.status) ? false : 1000),
  });
  const isRunning = jobId !== undefined && job?.status !== 'done' && job?.status !== 'failed';
  const ask = async () => {
    try {
      setJobId((await client.workspaces.export(id)).id);
    } catch (error) {
      sayFailure(error);
    }
  };
  return (
    <Card
      title={name}
      help={words.exportHelp}
      actions={
        <Button icon={<Download size={15} aria-hidden />} busy={isRunning} onClick={() => void ask()}>
          {words.export}
        </Button>
      }
    >
      <div className="px-4 py-3">
        {isRunning && <Banner title={words.exporting} />}
        {job?.status === 'failed' && <Banner tone="bad" title={job.error ?? jobTexts.states.failed} />}
        {job?.status === 'done' && (
          <a href={client.url('dataJobs.download', job.id)} download className="font-medium">
            {jobTexts.download}
          </a>
        )}
        {!jobId && <p className="text-dense text-text-2">{words.onlyOwn}</p>}
      </div>
    </Card>
  );
}
