import type { AnswerOf } from '@atrium/sdk';
import type { ReactNode } from 'react';
import { sayCost, sayDuration, sayNumber } from '../../lib/numbers.ts';
import { traceTexts } from '../../text/traces.ts';
import { Json, LongText } from '../details/long-text.tsx';
import { Box } from '../details/prompt-view.tsx';
import type { Step } from '../runs.ts';

const words = traceTexts.again;

interface Figures {
  ms: number;
  input_tokens: number;
  output_tokens: number;
  cost: number | null;
}
const sayFigures = ({ ms, input_tokens, output_tokens, cost }: Figures) =>
  words.figures(sayDuration(ms), sayNumber(input_tokens + output_tokens), cost === null ? '–' : sayCost(cost));

interface BothAnswersProps {
  step: Extract<Step, { kind: 'model' }>;
  answer: AnswerOf<'runs.retryModelCall'>;
}

/** The answer of the run beside the new one. */
export function BothAnswers({ step, answer }: BothAnswersProps) {
  return (
    <div className="grid items-start gap-3 narrow:grid-cols-2">
      <Side title={words.before} figures={sayFigures(step)}>
        <LongText text={step.answer || words.emptyAnswer} />
      </Side>
      <Side title={words.now} figures={sayFigures(answer)}>
        <LongText text={answer.text || words.emptyAnswer} />
        {answer.tool_calls.map(({ id, name, input }) => (
          <div key={id} className="text-dense">
            <p className="text-text-2">
              {words.wouldCall} <code className="font-mono text-code">{name}</code>
            </p>
            <Json value={input} />
          </div>
        ))}
        {answer.left_out > 0 && <p className="text-caption text-text-2">{words.messagesLeftOut(answer.left_out)}</p>}
        {answer.files_left_out > 0 && (
          <p className="text-caption text-text-2">{words.filesLeftOut(answer.files_left_out)}</p>
        )}
      </Side>
    </div>
  );
}

const Side = ({ title, figures, children }: { title: string; figures: string; children: ReactNode }) => (
  <Box title={title}>
    {children}
    <p className="num text-caption text-text-2">{figures}</p>
  </Box>
);
