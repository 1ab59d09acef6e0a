import { evaluationTexts } from '../../text/evaluations.ts';
import type { CaseResult } from '../evaluations.ts';

const words = evaluationTexts.results;

/** The answer of a case, why it failed, what the judge says, and the tools that were called. */
export function AnswerText({ result }: { result: CaseResult }) {
  const { answer, error, reason, tool_calls, hidden } = result;
  const how = ({ recorded, live }: CaseResult['tool_calls'][number]) =>
    live ? words.live : recorded ? words.recorded : words.refused;
  if (hidden) return <p className="rounded-2 bg-bg px-3 py-2 text-dense text-text-2">{words.hidden(hidden)}</p>;
  return (
    <div className="flex flex-col gap-1.5 text-dense">
      <p dir="auto" className="rounded-2 bg-bg px-3 py-2 leading-5 break-words whitespace-pre-wrap">
        {answer || <span className="text-text-2">{words.noAnswer}</span>}
      </p>
      {error && (
        <p className="break-words text-bad">
          {words.error}: {error}
        </p>
      )}
      {reason && (
        <p className="break-words text-text-2">
          {words.reason}: {reason}
        </p>
      )}
      {tool_calls.length > 0 && (
        <p className="text-caption text-text-2">
          {words.tools}: {tool_calls.map((call) => `${call.name} (${how(call)})`).join(', ')}
        </p>
      )}
    </div>
  );
}
