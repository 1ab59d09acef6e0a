import type { GuardStage, Objection, RunEvent } from '@atrium/contract/runs/events.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { LeaseLost } from '../../../execution/run-queue.ts';
import { isDatabaseOutage } from '../../../lib/outages/database-outages.ts';
import { footerText } from '../../messages/service.ts';
import { GuardrailStop } from './guardrail-stop.ts';

/** The objections of the guardrails to a text, and the time they took. */
export interface Finding {
  objections: Objection[];
  ms: number;
}

/** The texts to check: messages, and the inputs of tool calls. */
export interface Looked {
  text: string;
  calls?: string;
}

export interface Looking {
  /** Whether the settings ask for anything at this stage. */
  asks(stage: GuardStage): boolean;
  /** Throws when it can't be looked at, which is never a pass. */
  look(stage: GuardStage, looked: Looked): Promise<Finding>;
}

type Verdict = Extract<RunEvent, { type: 'guardrail' }>;
type Step = Extract<RunEvent, { type: 'step-end' }>;

/** A text without a verdict: it cannot be checked, or there is no time left. */
const unjudged = (stage: GuardStage, step: number, retracts: boolean): Verdict => ({
  ...{ type: 'guardrail', stage, step, ms: 0, objections: [], action: null, retracts, failed: true },
});

/** The run goes on from its log, on this node or another one: the text is produced and checked again there. */
const isRepeatedLater = (error: unknown) => error instanceof LeaseLost || isDatabaseOutage(error);

/**
 * The guardrails of one run check user input and tool results before the model reads them, and output before or after
 * users see it. Every verdict is an event; a verdict that ends the run throws after it. A text that could not be
 * checked counts as refused: later model calls do not get it, and shown output is retracted.
 */
export function makeGuard(settings: Settings, { asks, look }: Looking) {
  const { value: action } = settings.guardrail_action;
  const holds = settings.guardrails_output_mode === 'pre_stream';
  const words = { fail: '', replace: settings.guardrail_action_replace, human: settings.guardrail_action_human };
  const footer = footerText(settings);
  const stops = ({ objections }: Finding) => objections.length > 0 && action !== 'warn';

  async function* ruling(stage: GuardStage, step: number, finding: Finding): AsyncGenerator<RunEvent> {
    const { objections, ms } = finding;
    const objected = objections.length > 0;
    const retracts = stage === 'output' && stops(finding) && !holds;
    yield { type: 'guardrail', stage, step, ms, objections, action: objected ? action : null, retracts };
    if (!objected || action !== 'warn') return;
    const names = objections.map(({ category }) => category).join(', ');
    yield { type: 'warning', code: 'guardrail_violation', message: `A guardrail objected: ${names}` };
  }

  function stop(stage: GuardStage, objections: readonly Objection[]): void {
    if (action !== 'warn') throw new GuardrailStop(stage, action, objections, words[action], footer);
  }

  async function* check(stage: GuardStage, step: number, text: string): AsyncGenerator<RunEvent> {
    if (!asks(stage) || text.trim() === '') return;
    let finding: Finding;
    try {
      finding = await look(stage, { text });
    } catch (error) {
      if (!isRepeatedLater(error)) yield unjudged(stage, step, false);
      throw error;
    }
    yield* ruling(stage, step, finding);
    if (stops(finding)) stop(stage, finding.objections);
  }

  /** A step that was held back is let go with its verdict; one that was not is taken back by it. */
  async function* stepEnd(end: Step, looked: Looked, held: RunEvent[]): AsyncGenerator<RunEvent> {
    const finding = await look('output', looked);
    if (!stops(finding)) yield* held;
    yield* ruling('output', end.step, finding);
    // The cost counts for every verdict.
    yield end;
    if (stops(finding)) stop('output', finding.objections);
  }

  /** The events of the loop, each step looked at when it has ended. */
  async function* watched(loop: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
    let [step, text, calls] = [0, '', ''];
    let held: RunEvent[] = [];
    try {
      for await (const event of loop) {
        if ('step' in event) step = event.step;
        if (event.type === 'step-start') {
          [text, calls, held] = ['', '', []];
          yield event;
        } else if (event.type === 'attempt-start') {
          // The text of a failed attempt, here or on the node before, was not checked: it is removed for good, not only
          // from the screen.
          const withheld = event.discard && !holds;
          if (event.discard) [text, calls, held] = ['', '', []];
          yield withheld ? { ...event, withheld } : event;
        } else if (event.type === 'step-end') {
          if (text + calls === '') yield event;
          else yield* stepEnd(event, { text, calls }, held);
          [text, calls, held] = ['', '', []];
        } else {
          const said = event.type === 'text-delta' || event.type === 'reasoning-delta';
          if (said) text += event.text;
          if (event.type === 'tool-call') calls += `${JSON.stringify(event.input)}\n`;
          if (holds && (said || event.type === 'tool-call')) held.push(event);
          else yield event;
        }
      }
    } catch (error) {
      // After a stop or an error, the output of the step so far has not been checked.
      const isJudged = text + calls === '' || error instanceof GuardrailStop;
      if (!isJudged && !isRepeatedLater(error)) yield unjudged('output', step, !holds);
      throw error;
    }
  }

  return {
    check,
    stop,
    watch: (loop: AsyncIterable<RunEvent>) => (asks('output') ? watched(loop) : loop),
  };
}

export type Guard = ReturnType<typeof makeGuard>;
