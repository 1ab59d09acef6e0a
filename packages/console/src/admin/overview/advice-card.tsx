import type { AnswerOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Box, Cpu, HardDrive, ListChecks, Lock, Mail, ScanSearch } from 'lucide-react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { overviewTexts as words } from '../../text/admin/overview.ts';
import { OverviewCard } from './overview-card.tsx';

type Advice = AnswerOf<'system.get'>['advice'][number];

const icons: Readonly<Record<Advice['code'], typeof Box>> = {
  ...{ no_worker: ListChecks, jobs_failed: ListChecks, disk_low: HardDrive, no_language_model: Cpu, no_mail: Mail },
  ...{ sandbox_unavailable: Box, sandbox_emulated: Box, tagger_words: ScanSearch },
  ...{ files_not_encrypted: Lock, public_url_insecure: Lock },
};

/** What would be better, the most urgent first. */
export function AdviceCard() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const query = useQuery({ queryKey: [w, 'system'], queryFn: () => client.system.get() });
  return (
    <OverviewCard
      title={words.advice}
      query={{ ...query, data: query.data?.advice }}
      none={words.noAdvice}
      to={{ section: 'system', label: words.toSystem }}
      rowHeight="min-h-15.75"
      keyOf={({ code }) => code}
    >
      {({ code, message }) => {
        const Icon = icons[code];
        const isModel = code === 'no_language_model';
        return (
          <>
            <span aria-hidden className="grid size-7 flex-none place-items-center rounded-2 bg-sunken text-text-3">
              <Icon size={15} />
            </span>
            <span className="min-w-0 flex-1">
              <span className="block text-dense font-medium">{words.adviceTitles[code]}</span>
              <span className="line-clamp-2 text-caption text-text-3">{message}</span>
            </span>
            <Link
              to="/w/$w/admin/$section"
              params={{ w, section: isModel ? 'models' : 'system' }}
              className="flex-none text-dense font-medium pointer-coarse:grid pointer-coarse:min-h-11 pointer-coarse:content-center"
            >
              {isModel ? words.add : words.look}
              <span className="sr-only">: {words.adviceTitles[code]}</span>
            </Link>
          </>
        );
      }}
    </OverviewCard>
  );
}
