import type { AnswerOf } from '@atrium/sdk';
import { CircleAlert, ShieldCheck } from 'lucide-react';
import { useSession } from '../../api/session.ts';
import { auditTexts as words } from '../../text/admin/audit.ts';
import { Banner } from '../../ui/banner.tsx';

/** Whether the hash chains are whole, with the hashes to store elsewhere. */
export function VerifyReport({ report }: { report: AnswerOf<'audit.verify'> }) {
  const { workspaces } = useSession();
  const nameOf = (chain: string) => workspaces.find(({ id }) => id === chain)?.name ?? words.organization;
  const icon = report.ok ? <ShieldCheck size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />;
  return (
    <Banner
      tone={report.ok ? 'ok' : 'bad'}
      icon={icon}
      title={report.ok ? words.verifiedTitle : words.broken(report.faults.length)}
    >
      {report.ok && <p>{words.verified(report.entries)}</p>}
      <ul className="list-disc pl-5">
        {report.faults.map((fault) => (
          <li key={`${fault.chain_id} ${fault.position} ${fault.entry_id}`}>
            {nameOf(fault.chain_id)}, {fault.position ?? '?'}: {words.problems[fault.problem]}
          </li>
        ))}
      </ul>
      <details className="mt-1">
        <summary className="cursor-pointer">{words.hashes}</summary>
        <ul>
          {report.chains.map(({ chain_id, position, hash }) => (
            <li key={chain_id} className="wrap-anywhere">
              {nameOf(chain_id)}, {position}: <span className="font-mono text-code">{hash}</span>
            </li>
          ))}
        </ul>
      </details>
    </Banner>
  );
}
