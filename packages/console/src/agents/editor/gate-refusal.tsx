import type { AtriumError } from '@atrium/sdk';
import { TriangleAlert } from 'lucide-react';
import { useMay } from '../../api/session.ts';
import { sayPercent } from '../../lib/numbers.ts';
import { agentTexts } from '../../text/agents.ts';
import { Banner } from '../../ui/banner.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-field.tsx';

const words = agentTexts.gate;

interface Report {
  code: string;
  pass_rate?: number;
  threshold?: number;
  failed_cases?: { case_id?: string; name?: string; input?: unknown }[];
}
const nameOf = ({ name, input, case_id }: NonNullable<Report['failed_cases']>[number]) =>
  name ?? (typeof input === 'string' ? input : (case_id ?? ''));

/** Why the server would not publish: the evaluation that has to pass first, with the cases that failed. */
export function GateRefusal(props: { error: AtriumError; reason: string; onReason: (reason: string) => void }) {
  const { error, reason, onReason } = props;
  const { pass_rate, threshold, failed_cases = [] } = error.body as unknown as Report;
  const mayOverride = useMay()('workspace_admin');
  const isGate = error.code.startsWith('evaluation_');
  const title = error.code === 'evaluation_running' ? words.running : isGate ? words.title : error.detail;
  return (
    <div className="flex flex-col gap-3">
      <Banner tone="warn" icon={<TriangleAlert size={16} aria-hidden />} title={title}>
        {error.code === 'evaluation_running' && <p>{words.runningHelp}</p>}
        {pass_rate !== undefined && threshold !== undefined && (
          <p>{words.rate(sayPercent(pass_rate), sayPercent(threshold))}</p>
        )}
        {failed_cases.length > 0 && (
          <ul className="list-disc pl-5">
            {failed_cases.slice(0, 20).map((failed, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two cases may have the same words.
              <li key={index} className="break-words">
                {nameOf(failed)}
              </li>
            ))}
          </ul>
        )}
      </Banner>
      {isGate && mayOverride && (
        <Field label={words.override} help={words.overrideHelp}>
          <TextInput value={reason} maxLength={2000} onChange={({ target }) => onReason(target.value)} />
        </Field>
      )}
    </div>
  );
}
