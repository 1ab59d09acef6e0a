import type { Settings } from '../settings/settings.ts';
import type { GuardStage, Objection, RunEvent } from './events.ts';
import { GuardrailStop } from './guardrail-stop.ts';

/** What the guardrails found in a text, and how long they took. */
export interface Finding {
  objections: Objection[];
  ms: number;
}

/** Looks at a text; undefined when the settings ask for nothing at this stage. Throws when it can't be looked at. */
export type Look = (stage: GuardStage, text: string, calls?: string) => Promise<Finding | undefined>;

type Step = Extract<RunEvent, { type: 'step-end' }>;

/**
 * The guardrails of one run: before the model hears what was said, before it hears what a tool found, and before or
 * after people hear what it says. Every verdict is an event; one that ends the run throws after it.
 */
export function makeGuard(settings: Settings, look: Look) {
  const { value: action } = settings.guardrail_action;
  const holds = settings.guardrails_output_mode === 'pre_stream';
  const words = { fail: '', replace: settings.guardrail_action_replace, human: settings.guardrail_action_human };

  async function* ruling(stage: GuardStage, step: number, finding: Finding | undefined): AsyncGenerator<RunEvent> {
    if (!finding) return;
    const { objections, ms } = finding;
    const objected = objections.length > 0;
    const retracts = objected && stage === 'output' && action !== 'warn' && !holds;
    yield { type: 'guardrail', stage, step, ms, objections, action: objected ? action : null, retracts };
    if (!objected || action !== 'warn') return;
    const names = objections.map(({ category }) => category).join(', ');
    yield { type: 'warning', code: 'guardrail_violation', message: `A guardrail objected: ${names}` };
  }

  function stopIf(stage: GuardStage, finding: Finding | undefined): void {
    if (finding?.objections.length && action !== 'warn')
      throw new GuardrailStop(stage, action, finding.objections, words[action]);
  }

  async function* check(stage: GuardStage, step: number, text: string): AsyncGenerator<RunEvent> {
    const finding = await look(stage, text);
    yield* ruling(stage, step, finding);
    stopIf(stage, finding);
  }

  /** A step that was held back is let go with its verdict; one that was not is taken back by it. */
  async function* stepEnd(end: Step, text: string, calls: string, held: RunEvent[]): AsyncGenerator<RunEvent> {
    const finding = await look('output', text, calls);
    const stops = finding !== undefined && finding.objections.length > 0 && action !== 'warn';
    if (!stops) yield* held;
    yield* ruling('output', end.step, finding);
    // What it has cost is counted, whatever was said.
    yield end;
    stopIf('output', finding);
  }

  return {
    check,

    /** The events of the loop, each step looked at when it has ended. */
    async *watch(loop: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
      let text = '';
      let calls = '';
      let held: RunEvent[] = [];
      for await (const event of loop) {
        if (event.type === 'step-start' || (event.type === 'attempt-start' && event.discard)) {
          [text, calls, held] = ['', '', []];
          yield event;
        } else if (event.type === 'step-end') {
          yield* stepEnd(event, text, calls, held);
          held = [];
        } else {
          const said = event.type === 'text-delta' || event.type === 'reasoning-delta' || event.type === 'tool-call';
          if (event.type === 'text-delta') text += event.text;
          if (event.type === 'tool-call') calls += `${JSON.stringify(event.input)}\n`;
          if (holds && said) held.push(event);
          else yield event;
        }
      }
    },
  };
}

export type Guard = ReturnType<typeof makeGuard>;
