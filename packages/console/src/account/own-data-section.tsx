import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { personClient } from '../api/client.ts';
import { useSubmit } from '../lib/use-submit.ts';
import { accountTexts } from '../text/account.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { FailureNote } from '../ui/failure-note.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Section } from './section.tsx';

const words = accountTexts.data;

/** An archive of the person's own data, made by the server while the page waits for it. */
export function OwnDataSection() {
  const [id, setId] = useState<string>();
  const { data: job } = useQuery({
    queryKey: ['data-jobs', id],
    queryFn: () => personClient.dataJobs.get(id ?? ''),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && ['done', 'failed'].includes(state.data.status) ? false : 1000),
  });
  const { busy, failure, submit } = useSubmit(async () => setId((await personClient.personalData.exportOwn()).id), {
    explain: (error) => (error.code === 'export_running' ? words.already : undefined),
  });
  const isOver = job?.status === 'done' || job?.status === 'failed';
  return (
    <Section title={accountTexts.sections.data} help={words.help}>
      <FailureNote failure={failure} />
      {id && !isOver && <Banner icon={<Spinner size={16} />} title={words.running} />}
      {job?.status === 'failed' && (
        <Banner tone="bad" title={words.failed}>
          {job.error}
        </Banner>
      )}
      {id && job?.status === 'done' ? (
        <a
          href={personClient.url('dataJobs.download', id)}
          download
          className="inline-flex h-8 items-center gap-1.5 self-start rounded-2 bg-accent px-3 text-label font-medium text-on-accent hover:bg-accent-hover"
        >
          <Download size={14} aria-hidden />
          {words.download}
        </a>
      ) : (
        <Button className="self-start" busy={busy || (id !== undefined && !isOver)} onClick={() => void submit()}>
          {words.action}
        </Button>
      )}
    </Section>
  );
}
